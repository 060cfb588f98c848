import { parseMinor } from '../../src/base/money.ts'
import { type State, TRANSITIONS } from '../../src/payments/machine.ts'
import { afterwardsAgree } from './afterwards.ts'
import { newHappened } from './happened.ts'
import { chargesAgree, lateArrivalsAreFound, refusalsAreTrue } from './ledger.ts'
import { promisesAreKept } from './promises.ts'
import { nothingMoves } from './rest.ts'
import type { PaymentRow, Scene } from './scene.ts'
import { nothingSecretIsWritten } from './secrets.ts'
import { settlementsAgree } from './settlements/invariants.ts'
import { everyEventIsDelivered } from './webhooks.ts'

/** What must be true when everything has come to rest, whatever happened before; what is not, in words. */
export async function checkInvariants(scene: Scene): Promise<string[]> {
  return [
    ...oneForEachReference(scene),
    ...scene.payments.flatMap(sumsArePossible),
    ...(await chargesAgree(scene)),
    ...(await afterwardsAgree(scene)),
    ...(await refusalsAreTrue(scene)),
    ...(await lateArrivalsAreFound(scene)),
    ...historiesAreLegal(scene),
    ...everyEventIsDelivered(scene),
    ...acknowledgedIsDurable(scene),
    ...(await promisesAreKept(scene)),
    ...nobodyGotA5xx(scene),
    ...(scene.world.provider?.simulator.violations ?? []),
    ...noByteCrossesTenants(scene),
    ...nothingSecretIsWritten(scene),
    ...(await nothingMoves(scene)),
    ...(await settlementsAgree(scene)),
  ]
}

function oneForEachReference({ payments }: Scene): string[] {
  const seen = new Set<string>()
  return payments.flatMap(({ app_id, reference_id }) => {
    const key = `${app_id} ${reference_id}`
    if (seen.has(key)) return [`reference ${reference_id} has several payments`]
    seen.add(key)
    return []
  })
}

function sumsArePossible({ payment_id, ...row }: PaymentRow): string[] {
  const captured = BigInt(row.captured_minor)
  const refunded = BigInt(row.refunded_minor)
  const isPossible = 0n <= refunded && refunded <= captured && captured <= BigInt(row.amount_minor)
  return isPossible ? [] : [`payment ${payment_id}: sums are impossible`]
}

const LEGAL = new Set(TRANSITIONS.map(({ from, to }) => `${from} ${to}`))

/** Events are the transitions: one for each state entered, without a gap, each step in the table. */
function historiesAreLegal({ payments, historyOf }: Scene): string[] {
  return payments.flatMap((payment) => {
    const states = historyOf(payment)
    const reported = `payment ${payment.payment_id}: ${states.join(' → ')}`
    const problems: string[] = []
    if (states[0] !== 'Created' || states.at(-1) !== payment.state || states.length !== payment.sequence)
      problems.push(`${reported} does not tell the payment's story (${payment.state}, ${payment.sequence})`)
    for (const [place, state] of states.slice(1).entries())
      if (!LEGAL.has(`${states[place]} ${state}`)) problems.push(`${reported}: illegal step to ${state}`)
    return problems
  })
}

/**
 * Whatever a merchant was told is still so, or was so before. A capture that failed later shrinks, and what
 * was refunded by a lost dispute that was won after all, or opened again.
 */
function acknowledgedIsDurable({ world, merchants, payments, historyOf }: Scene): string[] {
  const { failedCaptures, recaptures } = world.provider?.happened ?? newHappened()
  const failedLater = ({ attempts }: PaymentRow): boolean =>
    (attempts ?? []).some((attempt) => failedCaptures.has(attempt) || recaptures.has(attempt))
  const byKey = new Map(payments.map((payment) => [`${payment.app_id} ${payment.reference_id}`, payment]))
  return merchants.flatMap((merchant) =>
    [...merchant.known.values()].flatMap((known) => {
      const { referenceId, currency } = known
      const found = byKey.get(`${merchant.appId} ${referenceId}`)
      if (!found || Number(found.payment_id) !== known.paymentId) return [`payment ${referenceId} was lost`]
      const history = historyOf(found)
      const shrunk = (reported: number, now: bigint) => now < (parseMinor(reported, currency) ?? 0n)
      const refunded = BigInt(found.refunded_minor) + BigInt(found.won_minor)
      return [
        ...(shrunk(known.captured, BigInt(found.captured_minor)) && !failedLater(found)
          ? [`a capture of ${referenceId} was lost`]
          : []),
        ...(shrunk(known.refunded, refunded) ? [`a refund of ${referenceId} was lost`] : []),
        ...[...known.statesSent]
          .filter((state) => !history.includes(state as State))
          .map((state) => `payment ${referenceId} was told to be ${state} and never was`),
      ]
    }),
  )
}

/** The database is never away in this world; only a customer's browser may find the bank silent. */
const nobodyGotA5xx = ({ world }: Scene): string[] =>
  world.heard
    .filter(({ status, what }) => status >= 500 && !(status === 503 && what.includes('test-helpers/')))
    .map((reply) => `${reply.what} answered ${reply.status}: ${reply.text}`)

/** Neither an answer nor a webhook. */
function noByteCrossesTenants({ world, merchants, merchantAt }: Scene): string[] {
  const texts = [
    ...world.heard.map(({ appId, text, what }) => ({ appId, text, what })),
    ...world.received.map(({ url, body, eventId }) => ({
      appId: merchantAt(url)?.appId,
      text: body,
      what: `webhook ${eventId}`,
    })),
  ]
  return merchants.flatMap((stranger) =>
    texts
      .filter(({ appId }) => appId !== stranger.appId)
      .filter(({ text }) => text.includes(stranger.appId) || text.includes(`${stranger.mark}-`))
      .map(({ what }) => `${what} shows something of another merchant`),
  )
}
