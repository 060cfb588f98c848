import { slot } from '../../node/slot.ts'
/**
 * Serializes work per customer within this process, so that a verdict is rarely outdated when it is written:
 * only another node can still write in between.
 */
export interface CustomerQueue {
  /** Runs the work after earlier work of the same customer. */
  serialize<T>(customerKey: string, work: () => Promise<T>): Promise<T>
}

function createCustomerQueue(): CustomerQueue {
  const last = new Map<string, Promise<unknown>>()
  return {
    serialize(customerKey, work) {
      const result = (last.get(customerKey) ?? Promise.resolve()).then(work, work)
      // The next task runs after this one ends, whether it succeeded or failed.
      const settled = result
        .catch(() => undefined)
        .finally(() => {
          if (last.get(customerKey) === settled) last.delete(customerKey)
        })
      last.set(customerKey, settled)
      return result
    },
  }
}

export const customerQueue = slot('customerQueue', createCustomerQueue, {
  holds: 'fraud checks in progress, by customer',
  until: 'the end of the last check',
  restart: 'nothing: another node may check at the same time too',
})
