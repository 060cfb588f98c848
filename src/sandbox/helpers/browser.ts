import type { Http, HttpReply } from '../../net/http.ts'
import { valueAt } from '../../providers/kit/json.ts'
import type { DeclineReason } from '../../providers/outcome.ts'
import type { SandboxMethod } from '../values/named.ts'
import type { CryptoButton } from '../values/values.ts'

/**
 * Client for the calls that a customer's browser makes to the bank. They are authenticated by the account's
 * publishable key or by the session in a page URL.
 */
export interface Browser {
  readonly http: Http
  readonly bankUrl: string
}

export interface CardInput {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly cvc?: string
  readonly holder?: string
}

export interface BankAccountInput {
  readonly routing: string
  readonly account: string
  readonly holder?: string
}

export type PageAction =
  | { readonly action: 'approve'; readonly email?: string; readonly twist?: string }
  | { readonly action: 'decline'; readonly reason?: DeclineReason }
  | { readonly action: 'cancel' }
  | { readonly action: 'card'; readonly card: CardInput }
  | { readonly action: 'bank-account'; readonly bankAccount: BankAccountInput }
  | { readonly action: CryptoButton['action'] | 'fails-later' | 'returns-later' }

export type ChallengeOutcome = 'pass' | 'fail' | 'cancel'

/** `lost`: the bank did not answer, for example because of a fault. It may have acted. */
export type BrowserResult<T> =
  | ({ readonly kind: 'ok' } & T)
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'lost' }

type Token = BrowserResult<{ readonly token: string }>
/** `next`: URL of the customer's next page, at the bank or at the shop. */
type Shown = BrowserResult<{ readonly status: string; readonly next?: string }>

export const tokeniseCard = (browser: Browser, publishableKey: string, card: CardInput): Promise<Token> =>
  tokenise(browser, publishableKey, { card })

export const tokeniseBankAccount = (
  browser: Browser,
  publishableKey: string,
  bankAccount: BankAccountInput,
): Promise<Token> => tokenise(browser, publishableKey, { bankAccount })

/** Exchanges the security code of a stored card for a token. */
export const tokeniseCode = (browser: Browser, publishableKey: string, code: string): Promise<Token> =>
  tokenise(browser, publishableKey, { code })

async function tokenise({ http, bankUrl }: Browser, publishableKey: string, json: object): Promise<Token> {
  const headers = { authorization: `Bearer ${publishableKey}` }
  const reply = await http.call({ method: 'POST', url: `${bankUrl}/v1/tokens`, headers, json })
  const failed = refusedOrLost(reply)
  const token = reply.kind === 'reply' ? valueAt(reply.body, 'token') : undefined
  return failed ?? (typeof token === 'string' ? { kind: 'ok', token } : { kind: 'lost' })
}

/** Content of a page of the bank. */
export interface PageView {
  /** Undefined if the page is closed, paid or expired. */
  readonly kind?: 'pay' | '3ds'
  readonly method: SandboxMethod
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly description?: string
  /** The shop's URL that the customer returns to. */
  readonly back?: string
  readonly card?: { readonly brand: string; readonly last4: string }
  readonly addresses?: readonly {
    readonly asset: string
    readonly network: string
    readonly address: string
  }[]
}

/** Reads a page without any action. */
export async function openPage(
  { http, bankUrl }: Browser,
  session: string,
): Promise<BrowserResult<{ readonly page: PageView }>> {
  const url = `${bankUrl}/v1/pages/${encodeURIComponent(session)}`
  const reply = await http.call({ method: 'GET', url })
  const failed = refusedOrLost(reply)
  if (failed || reply.kind !== 'reply') return failed ?? { kind: 'lost' }
  return { kind: 'ok', page: reply.body as PageView }
}

/** Content of the page where the customer agrees to store a method. */
export interface SetupView {
  readonly method: SandboxMethod
  readonly status: string
  readonly back?: string
  readonly card?: { readonly brand: string; readonly last4: string }
}

export async function openSetup(
  { http, bankUrl }: Browser,
  session: string,
): Promise<BrowserResult<{ readonly setup: SetupView }>> {
  const url = `${bankUrl}/v1/keepings/${encodeURIComponent(session)}`
  const reply = await http.call({ method: 'GET', url })
  const failed = refusedOrLost(reply)
  if (failed || reply.kind !== 'reply') return failed ?? { kind: 'lost' }
  return { kind: 'ok', setup: valueAt(reply.body, 'storedMethod') as SetupView }
}

export type SetupPageAction = {
  readonly action: 'approve' | 'decline' | 'cancel'
  readonly email?: string
}

/** Presses a button on the page where the customer agrees to store a method. */
export async function actOnKeeping(
  { http, bankUrl }: Browser,
  pageUrl: string,
  json: SetupPageAction,
): Promise<BrowserResult<object>> {
  const url = `${bankUrl}/v1/keepings/${sessionOf(pageUrl)}`
  return refusedOrLost(await http.call({ method: 'POST', url, json })) ?? { kind: 'ok' }
}

/** Presses a button on the bank's payment page. */
export const actOnPage = (browser: Browser, pageUrl: string, action: PageAction): Promise<Shown> =>
  press(browser, `pages/${sessionOf(pageUrl)}`, action)

export const passChallenge = (
  browser: Browser,
  challengeUrl: string,
  outcome: ChallengeOutcome = 'pass',
): Promise<Shown> => press(browser, `challenges/${sessionOf(challengeUrl)}`, { outcome })

/** Whether a URL is a challenge, not a payment page. */
export const isChallenge = (url: string): boolean => new URL(url).pathname.includes('/sandbox/3ds/')

/** The signed last segment of a page URL. */
const sessionOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''

async function press({ http, bankUrl }: Browser, path: string, json: object): Promise<Shown> {
  const reply = await http.call({ method: 'POST', url: `${bankUrl}/v1/${path}`, json })
  const failed = refusedOrLost(reply)
  if (failed) return failed
  const body = reply.kind === 'reply' ? reply.body : undefined
  const next = valueAt(body, 'url') ?? valueAt(body, 'back')
  const status = String(valueAt(body, 'status'))
  return { kind: 'ok', status, ...(typeof next === 'string' ? { next } : {}) }
}

function refusedOrLost(
  reply: HttpReply,
): { kind: 'refused'; message: string } | { kind: 'lost' } | undefined {
  if (reply.kind !== 'reply' || reply.status >= 500) return { kind: 'lost' }
  if (reply.status < 400) return undefined
  return { kind: 'refused', message: String(valueAt(reply.body, 'error', 'message')) }
}
