import { after, MINUTE, SECOND } from '../../base/clock.ts'
import { randomText } from '../../base/ids.ts'
import { SIGNATURE_HEADER, signature } from '../adapter/signature.ts'
import { accountNow, type BankContext } from './context.ts'
import {
  claimNotifications,
  type DueNotification,
  endNotifications,
  postponeNotification,
} from './notification-store.ts'
import { type ActiveFault, isNotification } from './rules/faults.ts'
import type { Draft } from './rules/payment.ts'
import type { BankChange } from './store.ts'

type Row = BankChange['notifications'][number]

const LATE_MS = 10 * SECOND
const HELD_BACK_MS = 2 * SECOND
const COPIES = 3

/** What the merchant is told about a change, with everything a test asked to go wrong with it. */
export function notificationsOf(bank: BankContext, draft: Draft, taken: ActiveFault | undefined): Row[] {
  const { payment, events, now } = draft
  const url = payment.notify
  if (!url || events.length === 0) return []
  const real = bank.clock.now()
  const effect = taken?.alongside ?? taken
  const replyFault = effect && isNotification(effect.effect) ? effect.effect : payment.behaviour.notification
  return events.flatMap((type) => {
    const body = () =>
      JSON.stringify({
        id: `evt_${randomText(bank.random, 20)}`,
        type,
        account: payment.account,
        payment: payment.id,
        reference: payment.reference,
        time: now.toISOString(),
      })
    const first = payment.notified++ === 0
    const row: Row = { url, body: body(), forged: false, dueTime: real.toISOString() }
    const delayed = (ms: number): Row => ({ ...row, dueTime: after(real, ms).toISOString() })
    switch (replyFault) {
      case 'notification-never':
        return []
      case 'notification-late':
        return [delayed(effect?.delayMs ?? LATE_MS)]
      case 'notification-reordered':
        // TokenContent back until the next one has overtaken it.
        return [first || effect ? delayed(effect?.delayMs ?? HELD_BACK_MS) : row]
      case 'notification-duplicate':
        return Array.from({ length: COPIES }, () => row)
      case 'notification-forged':
        return [{ ...row, body: body(), forged: true }, row]
      default:
        return [row]
    }
  })
}

const SEND_MS = 5 * SECOND
const LEASE_MS = 30 * SECOND
const MOST_AT_ONCE = 64
/** Then the bank gives up; the merchant can still ask. */
const PAUSES_MS = [2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE]

/** Notifications of one account that are being sent. */
export interface Sending {
  readonly account: string
  readonly count: number
  readonly done: Promise<void>
}

/** Begins to send what is due, once each, of one account or of all. */
export async function sendNotifications(bank: BankContext, only: string | undefined): Promise<Sending[]> {
  const now = bank.clock.now()
  const claim = { now, leaseEnd: after(now, LEASE_MS), account: only ?? null, limit: roomFor(bank, only) }
  if (claim.limit <= 0) return []
  const due = await claimNotifications(bank.db, claim)
  return [...new Set(due.map(({ account }) => account))].map((account) => {
    const theirs = due.filter((one) => one.account === account)
    bank.cache.sending += theirs.length
    const done = sendAll(bank, theirs).finally(() => {
      bank.cache.sending -= theirs.length
    })
    return { account, count: theirs.length, done }
  })
}

/** A call for one account is never refused: its caller waits for it. */
const roomFor = ({ cache }: BankContext, only: string | undefined): number =>
  only === undefined ? MOST_AT_ONCE - cache.sending : MOST_AT_ONCE

async function sendAll(bank: BankContext, due: readonly DueNotification[]): Promise<void> {
  const sent = await Promise.all(due.map((one) => send(bank, one)))
  const ended = due.filter((one, n) => sent[n] || one.forged || one.tries > PAUSES_MS.length)
  await endNotifications(bank.db, ended)
  for (const one of due)
    if (!ended.includes(one))
      await postponeNotification(bank.db, one, after(bank.clock.now(), PAUSES_MS[one.tries - 1] ?? MINUTE))
}

async function send(bank: BankContext, one: DueNotification): Promise<boolean> {
  const key = one.forged ? 'a key that is not the account’s' : bank.keys.secretKey(one.account)
  const reply = await bank.http.call({
    method: 'POST',
    url: one.url,
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signature(key, accountNow(bank, one), one.body),
    },
    text: one.body,
    timeoutMs: SEND_MS,
  })
  return reply.kind === 'reply' && reply.status >= 200 && reply.status < 300
}
