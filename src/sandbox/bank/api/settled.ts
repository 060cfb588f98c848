import { DAY } from '../../../base/clock.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { isTimeZone } from '../../../base/time/zone.ts'
import { answer } from '../answer.ts'
import { badRequest } from '../rules/refused.ts'
import { SETTLEMENT_FAULTS } from '../rules/report.ts'
import { clearSettlementFaults, plantFault, reportOf } from '../settled/report.ts'
import { payOutNow } from '../settled/settle.ts'
import * as read from './read.ts'
import type { Handler } from './request.ts'

const MAX_WINDOW_MS = 31 * DAY

/** The lines of a window of time, in pages. */
export const showSettled: Handler = async (bank, { account, query }) => {
  const [from, until] = [parseInstant(query.get('from') ?? ''), parseInstant(query.get('until') ?? '')]
  const shop = query.get('shop') ?? ''
  if (!from || !until || from > until || until.getTime() - from.getTime() > MAX_WINDOW_MS)
    throw badRequest('from and until must be times, at most 31 days apart.')
  if (!/^[\w-]{1,64}$/.test(shop)) throw badRequest('shop must have 1 to 64 letters and digits.')
  return answer(200, await reportOf(bank, { account, shop, from, until }, query.get('cursor') ?? undefined))
}

export const makePayouts: Handler = async (bank, { account, body }) => {
  const timeZone = read.optionalText(body, 'timeZone', 64)
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw badRequest('timeZone must be an IANA name.')
  const payouts = (await payOutNow(bank, { account, timeZone })).map(
    ({ lineId: id, shop, amountMinor, currency, lineTime: time }) => {
      return { id, shop, amount: -Number(amountMinor), currency, time }
    },
  )
  return answer(200, { payouts })
}

export const plantSettlementFault: Handler = async (bank, { account, body }) => {
  const kind = read.oneOf(body, 'kind', SETTLEMENT_FAULTS)
  const reference = read.optionalText(body, 'reference', 64)
  await plantFault(bank, account, { kind, ...(reference === undefined ? {} : { reference }) })
  return answer(200, { kind })
}

export const removeSettlementFaults: Handler = async (bank, { account }) => {
  await clearSettlementFaults(bank, account)
  return answer(200, { cleared: true })
}
