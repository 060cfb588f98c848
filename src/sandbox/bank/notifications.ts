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
const REORDERED_MS = 2 * SECOND
const COPIES = 3

/** The notifications about a change, with armed notification faults applied. */
export function notificationsOf(bank: BankContext, draft: Draft, taken: ActiveFault | undefined): Row[] {
  const { payment, events, now } = draft
  const url = payment.notify
  if (!url || events.length === 0) return []
  const realNow = bank.clock.now()
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
    const row: Row = { url, body: body(), forged: false, dueTime: realNow.toISOString() }
    const delayed = (ms: number): Row => ({ ...row, dueTime: after(realNow, ms).toISOString() })
    switch (replyFault) {
      case 'notification-never':
        return []
      case 'notification-late':
        return [delayed(effect?.delayMs ?? LATE_MS)]
      case 'notification-reordered':
        // Delayed so that the next notification arrives first.
        return [first || effect ? delayed(effect?.delayMs ?? REORDERED_MS) : row]
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
const MAX_IN_FLIGHT = 64
/** Pauses between retries. After the last one the bank gives up; the merchant can still read the payment. */
const RETRY_PAUSES_MS = [2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE]

/** Notifications of one account that are being sent. */
export interface Sending {
  readonly account: string
  readonly count: number
  readonly done: Promise<void>
}

/** Claims due notifications of one account or of all, and starts to send each once. */
export async function sendNotifications(bank: BankContext, only: string | undefined): Promise<Sending[]> {
  const now = bank.clock.now()
  const claim = { now, leaseEnd: after(now, LEASE_MS), account: only ?? null, limit: claimLimit(bank, only) }
  if (claim.limit <= 0) return []
  const due = await claimNotifications(bank.db, claim)
  return [...new Set(due.map(({ account }) => account))].map((account) => {
    const ofAccount = due.filter((one) => one.account === account)
    bank.cache.sending += ofAccount.length
    const done = sendAll(bank, ofAccount).finally(() => {
      bank.cache.sending -= ofAccount.length
    })
    return { account, count: ofAccount.length, done }
  })
}

/** A call for one account ignores the number in flight, because its caller waits for the result. */
const claimLimit = ({ cache }: BankContext, only: string | undefined): number =>
  only === undefined ? MAX_IN_FLIGHT - cache.sending : MAX_IN_FLIGHT

async function sendAll(bank: BankContext, due: readonly DueNotification[]): Promise<void> {
  const sent = await Promise.all(due.map((one) => send(bank, one)))
  const ended = due.filter((one, n) => sent[n] || one.forged || one.tries > RETRY_PAUSES_MS.length)
  await endNotifications(bank.db, ended)
  for (const one of due)
    if (!ended.includes(one))
      await postponeNotification(
        bank.db,
        one,
        after(bank.clock.now(), RETRY_PAUSES_MS[one.tries - 1] ?? MINUTE),
      )
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
