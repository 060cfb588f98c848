import type { Browser, BrowserContextOptions } from 'playwright-core'
import { after, DAY } from '../../src/base/clock.ts'
import { sql } from '../../src/db/database.ts'
import { directory } from '../../src/merchants/directory-cache.ts'
import { ROLES, type Role } from '../../src/people/access/roles.ts'
import { sessions } from '../../src/people/sessions/cache.ts'
import { openSession } from '../../src/people/sessions/sessions.ts'
import { insertMembership } from '../../src/people/store/memberships.ts'
import { insertPerson } from '../../src/people/store/people.ts'
import { disableTotp, enableTotp, prepareTotp } from '../../src/people/store/secrets.ts'
import { codeOf, stepOf } from '../../src/people/totp/totp.ts'
import { openWindow, type Watched } from './browser.ts'
import { startTestService, type TestApp, type TestService, type TestServiceOptions } from './tender.ts'

/** A service whose console knows one person of each role, signed in. */
export interface TestConsole {
  readonly tender: TestService
  readonly sandbox: TestApp
  readonly live: TestApp
  readonly origin: string
  /** Session tokens, for the cookie `console`. */
  readonly tokens: Readonly<Record<Role, string>>
  /** A browser window of this person. */
  open(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<Watched>
  /** A page without a browser. The path is relative to the sandbox app's console: `payments`. */
  get(role: Role, path: string): Promise<ConsolePage>
  /** Reads the page that holds the form, then posts these fields with its form id. */
  post(role: Role, path: string, fields: Record<string, string>, formPage?: string): Promise<ConsolePage>
  stop(): Promise<void>
}

interface ConsolePage {
  readonly status: number
  readonly html: string
  readonly location: string | null
}

const PROVE = sql<never>('test.prove', 'update person_sessions set proven_time = $1')

const CLIENT = { address: '127.0.0.1', network: '127.0.0.1', userAgent: 'test', requestId: 'req_test' }

interface TestConsoleOptions extends TestServiceOptions {
  /** Proofs are those of a sign-in now. Without it they stay fresh, however long the tests of a file take. */
  readonly hasAgingProofs?: true
}

export async function startTestConsole(
  name: string,
  { hasAgingProofs, ...options }: TestConsoleOptions = {},
): Promise<TestConsole> {
  const tender = await startTestService(name, options)
  const { ctx } = tender.service
  const licenseId = (await directory(ctx).app(tender.sandbox.appId))?.licenseId ?? ''
  const tokens = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await signedIn(tender, licenseId, role)] as const)),
  ) as Record<Role, string>
  if (!hasAgingProofs) await ctx.db.query(PROVE, [after(ctx.clock.now(), DAY)])
  const origin = tender.url
  const base = `${origin}/console/${tender.sandbox.appId}`
  const ask = async (role: Role, url: string, init: RequestInit = {}): Promise<ConsolePage> => {
    const headers = { cookie: `console=${tokens[role]}`, ...(init.headers as Record<string, string>) }
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' })
    return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') }
  }
  const urlOf = (path: string) => (path.startsWith('/') ? `${origin}${path}` : `${base}/${path}`)
  return {
    tender,
    sandbox: tender.sandbox,
    live: tender.live,
    origin,
    tokens,
    async open(browser, role, windowOptions) {
      const window = await openWindow(browser, origin, windowOptions)
      await window.context.addCookies([{ name: 'console', value: tokens[role], url: origin }])
      return window
    },
    get: (role, path) => ask(role, urlOf(path)),
    async post(role, path, fields, formPage = path) {
      const { html } = await ask(role, urlOf(formPage))
      const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const body = new URLSearchParams({ form, ...fields })
      return ask(role, urlOf(path), { method: 'POST', body })
    },
    stop: () => tender.stop(),
  }
}

/** A person of the licence with this role, and the token of a session. */
async function signedIn({ service: { ctx } }: TestService, licenseId: string, role: Role): Promise<string> {
  const personId = `usr_${role.toLowerCase()}`
  const now = ctx.clock.now()
  const refundLimits = role === 'Support' ? { EUR: '10000', USD: '10000' } : null
  return ctx.db.transaction(async (tx) => {
    const email = `${role.toLowerCase()}@example.com`
    const isOperator = role === 'Owner'
    await insertPerson(tx, { personId, email, name: `${role} Person`, passwordHash: null, isOperator, now })
    await insertMembership(tx, { licenseId, personId, role, refundLimits, now })
    return openSession(ctx, tx, personId, CLIENT)
  })
}

const SECRET = Buffer.from('a secret of twenty bytes')

/** Later than the proof of every session. */
export const AFTER_PROOFS = new Date('2100-01-01T00:00:00Z')

/**
 * Gives a person a second factor since a time, and returns the code of now. By default since long before the
 * sign-in, whose proof then had a code.
 */
export async function giveSecondFactor(
  { tender: { service } }: TestConsole,
  role: Role,
  since = new Date(0),
): Promise<() => string> {
  const { ctx } = service
  const personId = `usr_${role.toLowerCase()}`
  await disableTotp(ctx.db, personId)
  await prepareTotp(ctx.db, personId, ctx.vault.seal(SECRET.toString('base64')))
  await enableTotp(ctx.db, personId, since, [])
  sessions(ctx).clear()
  return () => codeOf(SECRET, stepOf(ctx.clock.now()))
}
