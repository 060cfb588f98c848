import { createQueue } from '../../node/queue.ts'
import { slot } from '../../node/slot.ts'

/**
 * Serializes work per customer within this process, so that a verdict is rarely outdated when it is written:
 * only another node can still write in between.
 */
export const customerQueue = slot('customerQueue', createQueue, {
  holds: 'fraud checks in progress, by customer',
  until: 'the end of the last check',
  restart: 'nothing: another node may check at the same time too',
})
