import type { Http, HttpReply } from '../../net/http.ts'
import type { DeclineReason, MethodKind } from '../../providers/outcome.ts'
import { memberOf } from '../adapter/wire.ts'
import type { CryptoButton } from '../values/values.ts'

/**
 * What a customer's browser does at the bank. It holds the account's publishable key, or just a page's
 * address.
 */
export interface Browser {
  readonly http: Http
  readonly bankUrl: string
}

export interface TypedCard {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly cvc?: string
  readonly holder?: string
}

export interface TypedBankAccount {
  readonly routing: string
  readonly account: string
  readonly holder?: string
}

export type PageAction =
  | { readonly action: 'approve'; readonly email?: string; readonly twist?: string }
  | { readonly action: 'decline'; readonly reason?: DeclineReason }
  | { readonly action: 'cancel' }
  | { readonly action: 'card'; readonly card: TypedCard }
  | { readonly action: 'bank-account'; readonly bankAccount: TypedBankAccount }
  | { readonly action: CryptoButton['action'] }

export type ChallengeOutcome = 'pass' | 'fail' | 'cancel'

/** `lost`: the bank did not answer, as a fault may have asked; it may have acted all the same. */
export type BrowserResult<T> =
  | ({ readonly kind: 'ok' } & T)
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'lost' }

type Token = BrowserResult<{ readonly token: string }>
/** Where the customer is sent next: another page of the bank, or back to the shop. */
type Shown = BrowserResult<{ readonly status: string; readonly next?: string }>

export const tokeniseCard = (browser: Browser, publishableKey: string, card: TypedCard): Promise<Token> =>
  tokenise(browser, publishableKey, { card })

export const tokeniseBankAccount = (
  browser: Browser,
  publishableKey: string,
  bankAccount: TypedBankAccount,
): Promise<Token> => tokenise(browser, publishableKey, { bankAccount })

/** The security code of a stored card. */
export const tokeniseCode = (browser: Browser, publishableKey: string, code: string): Promise<Token> =>
  tokenise(browser, publishableKey, { code })

async function tokenise({ http, bankUrl }: Browser, publishableKey: string, json: object): Promise<Token> {
  const headers = { authorization: `Bearer ${publishableKey}` }
  const reply = await http.call({ method: 'POST', url: `${bankUrl}/v1/tokens`, headers, json })
  const failed = refusedOrLost(reply)
  const token = reply.kind === 'reply' ? memberOf(reply.body, 'token') : undefined
  return failed ?? (typeof token === 'string' ? { kind: 'ok', token } : { kind: 'lost' })
}

/** What stands on a page of the bank. */
export interface PageView {
  /** Undefined: closed, paid or timed out. */
  readonly kind?: 'pay' | '3ds'
  readonly method: MethodKind
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly description?: string
  /** Where the customer came from and goes back to. */
  readonly back?: string
  readonly card?: { readonly brand: string; readonly last4: string }
  readonly addresses?: readonly {
    readonly asset: string
    readonly network: string
    readonly address: string
  }[]
}

/** Looks at a page without pressing anything. */
export async function lookAtPage(
  { http, bankUrl }: Browser,
  session: string,
): Promise<BrowserResult<{ readonly page: PageView }>> {
  const url = `${bankUrl}/v1/pages/${encodeURIComponent(session)}`
  const reply = await http.call({ method: 'GET', url })
  const failed = refusedOrLost(reply)
  if (failed || reply.kind !== 'reply') return failed ?? { kind: 'lost' }
  return { kind: 'ok', page: reply.body as PageView }
}

/** A method that the customer is asked to let a shop keep. */
export interface KeepingView {
  readonly method: MethodKind
  readonly status: string
  readonly back?: string
  readonly card?: { readonly brand: string; readonly last4: string }
}

export async function lookAtKeeping(
  { http, bankUrl }: Browser,
  session: string,
): Promise<BrowserResult<{ readonly keeping: KeepingView }>> {
  const url = `${bankUrl}/v1/keepings/${encodeURIComponent(session)}`
  const reply = await http.call({ method: 'GET', url })
  const failed = refusedOrLost(reply)
  if (failed || reply.kind !== 'reply') return failed ?? { kind: 'lost' }
  return { kind: 'ok', keeping: memberOf(reply.body, 'storedMethod') as KeepingView }
}

export type KeepingAction = {
  readonly action: 'approve' | 'decline' | 'cancel'
  readonly email?: string
}

/** Presses a button on the page at this address where a customer lets a shop keep a method. */
export async function actOnKeeping(
  { http, bankUrl }: Browser,
  pageUrl: string,
  json: KeepingAction,
): Promise<BrowserResult<object>> {
  const url = `${bankUrl}/v1/keepings/${sessionOf(pageUrl)}`
  return refusedOrLost(await http.call({ method: 'POST', url, json })) ?? { kind: 'ok' }
}

/** Presses a button on the bank's page at this address. */
export const actOnPage = (browser: Browser, pageUrl: string, action: PageAction): Promise<Shown> =>
  press(browser, `pages/${sessionOf(pageUrl)}`, action)

export const passChallenge = (
  browser: Browser,
  challengeUrl: string,
  outcome: ChallengeOutcome = 'pass',
): Promise<Shown> => press(browser, `challenges/${sessionOf(challengeUrl)}`, { outcome })

/** Which of the two pages an address is. */
export const isChallenge = (url: string): boolean => new URL(url).pathname.includes('/sandbox/3ds/')

/** The unguessable last part of a page's address. */
const sessionOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''

async function press({ http, bankUrl }: Browser, path: string, json: object): Promise<Shown> {
  const reply = await http.call({ method: 'POST', url: `${bankUrl}/v1/${path}`, json })
  const failed = refusedOrLost(reply)
  if (failed) return failed
  const body = reply.kind === 'reply' ? reply.body : undefined
  const next = memberOf(body, 'url') ?? memberOf(body, 'back')
  const status = String(memberOf(body, 'status'))
  return { kind: 'ok', status, ...(typeof next === 'string' ? { next } : {}) }
}

function refusedOrLost(
  reply: HttpReply,
): { kind: 'refused'; message: string } | { kind: 'lost' } | undefined {
  if (reply.kind !== 'reply' || reply.status >= 500) return { kind: 'lost' }
  if (reply.status < 400) return undefined
  return { kind: 'refused', message: String(memberOf(memberOf(reply.body, 'error'), 'message')) }
}
