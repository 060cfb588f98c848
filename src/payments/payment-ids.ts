import type { Database } from '../db/database.ts'
import { slot } from '../node/slot.ts'
import { reserveIds } from './store/payments.ts'

/**
 * Payment ids. They are reserved in blocks, so that an id is known before its row is written. Decision 0006.
 */
export interface PaymentIds {
  next(): Promise<number>
}

function createPaymentIds(db: Database): PaymentIds {
  let block = { next: 0, end: 0 }
  let refill: Promise<void> | undefined
  async function readBlock(): Promise<void> {
    block = await reserveIds(db)
  }
  return {
    async next() {
      while (block.next >= block.end) {
        refill ??= readBlock().finally(() => {
          refill = undefined
        })
        await refill
      }
      return block.next++
    },
  }
}

export const paymentIds = slot('paymentIds', ({ db }: { readonly db: Database }) => createPaymentIds(db), {
  holds: 'a block of reserved payment ids',
  until: 'use of the last id',
  restart: 'the rest of the block: those ids are not used',
})
