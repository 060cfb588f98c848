import { expect } from 'vitest'
import type { Answer } from '../../support/tender.ts'
import { DESCRIBED, hasDescriptions, judgeReply, judgeRequest } from '../kit/descriptions.ts'
import type { LedgerEntry } from '../kit/simulator.ts'
import { PAYER_DETAILS, referencesOf } from './flows.ts'
import type { ProviderCall, World } from './world.ts'

/** All movements of a payment at the provider. */
export async function movementsOf(world: World, { paymentId }: Answer): Promise<readonly LedgerEntry[]> {
  const references = await referencesOf(world, paymentId)
  return references.flatMap((reference) => world.simulator.ledger(reference))
}

const done = (entries: readonly LedgerEntry[], ...kinds: LedgerEntry['kind'][]) =>
  entries.filter(({ kind, state }) => kinds.includes(kind) && state === 'done')
const sum = (entries: readonly LedgerEntry[]): bigint =>
  entries.reduce((total, { amountMinor }) => total + amountMinor, 0n)
const minor = (amount: number): bigint => BigInt(Math.round(amount * 100))

/** Nothing happened twice, and our sums are those of the provider. A page may be paid in several parts. */
export function expectAgreement(payment: Answer, entries: readonly LedgerEntry[], parts = 1): void {
  const message = JSON.stringify({ state: payment.paymentState, entries: entries.map(textOf) })
  for (const kinds of [['authorise'], ['sale', 'capture'], ['void'], ['refund']] as const)
    expect(
      done(entries, ...kinds).length,
      `more than ${parts} ${kinds.join(' or ')}: ${message}`,
    ).toBeLessThanOrEqual(parts)
  expect(sum(done(entries, 'sale', 'capture')), `captured: ${message}`).toBe(minor(payment.capturedAmount))
  expect(sum(done(entries, 'refund')), `refunded: ${message}`).toBe(minor(payment.refundedAmount))
  expect(entries.filter(({ state }) => state === 'pending').map(textOf), `still pending: ${message}`).toEqual(
    [],
  )
  if (payment.paymentState !== 'Failed') return
  const reserved = done(entries, 'authorise').length
  expect(done(entries, 'void').length, `the reservation is left: ${message}`).toBeGreaterThanOrEqual(reserved)
}

const textOf = ({ kind, amountMinor, state, key }: LedgerEntry): string =>
  `${kind} ${amountMinor} ${state} ${key ?? ''}`

/** No money moved at all, or what was reserved was released. */
export const hasNoMoney = (entries: readonly LedgerEntry[]): boolean =>
  done(entries, 'sale', 'capture').length === 0 &&
  done(entries, 'authorise').length <= done(entries, 'void').length

/** Requests and replies that the official description refuses, and requests that the simulator refuses. */
export function problemsOf({ subject, simulator }: World, calls: readonly ProviderCall[], isClean: boolean) {
  const { provider } = subject
  if (!hasDescriptions || !DESCRIBED.includes(provider)) return [...simulator.violations]
  return [
    ...simulator.violations,
    ...calls.flatMap(({ request }) => judgeRequest(provider, request)),
    ...(isClean ? calls.flatMap(({ request, reply }) => replyProblems(provider, request, reply)) : []),
  ]
}

const replyProblems = (provider: string, request: ProviderCall['request'], reply: ProviderCall['reply']) =>
  reply.kind === 'reply' ? judgeReply(provider, request, reply) : []

/** Log lines with a secret or with details of the payer. */
export function leaks({ lines, simulator }: World, from: number): string[] {
  const secrets = [...simulator.secrets, ...PAYER_DETAILS].filter((secret) => secret.length > 3)
  return lines.slice(from).filter((line) => secrets.some((secret) => line.includes(secret)))
}
