import { fileProblem } from '../../base/files/file-problem.ts'
import { type Money, money } from '../../base/money.ts'
import { sha256 } from '../../base/secret.ts'
import { parseUrl } from '../../base/text.ts'
import type { HttpReply } from '../../net/http.ts'
import { itemsAt, type Json, listAt, numberAt, present, textAt, timeAt } from '../../providers/kit/json.ts'
import type { Replied } from '../../providers/kit/reply.ts'
import type { ProviderContext, Settlements } from '../../providers/port.ts'
import {
  LINE_KINDS,
  type SettledLine,
  type SettledPage,
  type SettledPayout,
} from '../../providers/settlement.ts'
import type { SandboxSettings } from './manifest.ts'
import { failure } from './outcomes.ts'

type Call = (ctx: ProviderContext<SandboxSettings>, method: 'GET', path: string) => Promise<HttpReply>

/**
 * Profiles of one app share an account. The bank separates their money by the address for notifications,
 * without its origin, which may change. The address contains a key, so the bank stores a digest of it.
 */
export function shopOf(notifyUrl: string): string {
  const { pathname = '', search = '' } = parseUrl(notifyUrl) ?? {}
  return sha256(pathname + search)
    .toString('base64url')
    .slice(0, 16)
}

export const settledMoney = (call: Call): Settlements<SandboxSettings> => ({
  usualDelayDays: 1,
  overlapDays: 1,
  maxWindowDays: 31,
  hasFees: true,
  hasPayouts: true,
  async read(ctx, { from, until }, cursor) {
    const query = new URLSearchParams({
      shop: shopOf(ctx.notifyUrl),
      from: from.toISOString(),
      until: until.toISOString(),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const reply = await call(ctx, 'GET', `settled?${query}`)
    const failed = failure(reply)
    if (failed) return failed
    const { status, body } = reply as Replied
    return pageIn(body) ?? { kind: 'unknown', why: 'unreadable-reply', raw: { status } }
  },
})

function pageIn(body: unknown): SettledPage | undefined {
  if (!itemsAt(body, 'lines')) return undefined
  const rows = listAt(body, 'lines').map((row) => ({ row, line: lineOf(row) }))
  const lines = rows.flatMap(({ line }) => line ?? [])
  return {
    kind: 'page',
    lines,
    payouts: lines.flatMap(payoutOf),
    bad: rows.flatMap(({ row, line }, place) =>
      line ? [] : [{ row: textAt(row, 'id') ?? String(place + 1), problem: fileProblem('incomplete') }],
    ),
    ...present({ next: textAt(body, 'next') }),
  }
}

function lineOf(row: Json): SettledLine | undefined {
  const [id, kind, time] = [
    textAt(row, 'id'),
    LINE_KINDS.find((one) => one === row.kind),
    timeAt(row, 'time'),
  ]
  const gross = moneyAt(row, 'gross', 'currency')
  const fee = moneyAt(row, 'fee', 'settlementCurrency')
  const net = moneyAt(row, 'net', 'settlementCurrency')
  if (!id || !kind || !time || !gross || !fee || !net) return undefined
  const texts = {
    reference: textAt(row, 'reference'),
    rate: textAt(row, 'rate'),
    payout: textAt(row, 'payout'),
  }
  return { id, kind, ids: idsOf(row), gross, fee, net, time, ...present(texts), raw: JSON.stringify(row) }
}

function moneyAt(row: Json, amount: string, currency: string): Money | undefined {
  const [minor, code] = [numberAt(row, amount), textAt(row, currency)]
  return code && Number.isSafeInteger(minor) ? money(BigInt(minor as number), code) : undefined
}

/** The first dispute of a payment has the payment's id. */
const idsOf = (row: Json): string[] => [
  ...new Set([textAt(row, 'movement') ?? [], textAt(row, 'payment') ?? []].flat()),
]

/** The bank transfers at once. */
function payoutOf({ id, kind, gross, time }: SettledLine): SettledPayout[] {
  if (kind !== 'payout') return []
  const amount = money(-gross.minor, gross.currency)
  return [{ id, amount, state: 'paid', time, arrival: time, bankReference: `SANDBOX ${id.toUpperCase()}` }]
}
