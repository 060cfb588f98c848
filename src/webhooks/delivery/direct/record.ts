import type { Context } from '../../../context.ts'
import { isDataError } from '../../../db/database.ts'
import { WEBHOOKS } from '../../schedule.ts'
import { type Ended, type Ending, endTry } from '../end-store.ts'
import { sending } from '../sending.ts'
import { recordDelivered } from './delivered-store.ts'

/** Records of one statement. */
const MAX_TOGETHER = 500

/** Records a failure at once, and acknowledged deliveries together: a crash before that repeats them. */
export const recordSoon =
  (ctx: Context) =>
  (ending: Ending): Promise<Ended | undefined> => {
    const { direct, hints } = sending(ctx)
    if (ending.status !== 'delivered') {
      hints.isEnding(ending.delivery)
      return endTry(ctx.db, ending)
    }
    return new Promise((resolve, reject) => {
      direct.unrecorded.push({ ending, resolve, reject })
      const { length } = direct.unrecorded
      if (length === 1) void ctx.clock.sleep(WEBHOOKS.recordMs).then(() => recordAll(ctx))
      else if (length >= MAX_TOGETHER) void recordAll(ctx)
    })
  }

async function recordAll(ctx: Context): Promise<void> {
  const { direct, hints } = sending(ctx)
  const group = direct.unrecorded
  if (group.length === 0) return
  direct.unrecorded = []
  const endings = group.map(({ ending }) => ending)
  for (const { delivery } of endings) hints.isEnding(delivery)
  try {
    const results = await recordDelivered(ctx.db, endings)
    for (const [n, { resolve }] of group.entries()) resolve(results[n])
  } catch (error) {
    // One bad row fails the statement for all.
    if (isDataError(error))
      for (const { ending, resolve, reject } of group) endTry(ctx.db, ending).then(resolve, reject)
    else for (const { reject } of group) reject(error)
  }
}
