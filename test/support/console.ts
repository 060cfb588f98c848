import type { Browser, BrowserContextOptions } from 'playwright-core'
import { addConsole } from '../../src/console/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { createGuards } from '../../src/merchants/guards.ts'
import { compressPages } from '../../src/pages/compress.ts'
import { isRole, type Role } from '../../src/people/access/roles.ts'
import { withSessions } from '../../src/people/guard.ts'
import type { SignedIn } from '../../src/people/signed-in.ts'
import { openWindow, type Watched } from './browser.ts'
import { startTestService, type TestApp, type TestService, type TestServiceOptions } from './tender.ts'

/** A service whose console knows one person of each role, signed in. */
export interface TestConsole {
  readonly tender: TestService
  readonly sandbox: TestApp
  readonly live: TestApp
  readonly origin: string
  /** A browser window of this person. */
  open(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<Watched>
  /** A page without a browser. The path is relative to the sandbox app's console: `payments`. */
  get(role: Role, path: string): Promise<ConsolePage>
  /** Reads the page that holds the form, then posts these fields with its form id. */
  post(role: Role, path: string, fields: Record<string, string>, formPage?: string): Promise<ConsolePage>
  stop(): Promise<void>
}

export interface ConsolePage {
  readonly status: number
  readonly html: string
  readonly location: string | null
}

export async function startTestConsole(
  name: string,
  options: TestServiceOptions = {},
): Promise<TestConsole> {
  const tender = await startTestService(name, options)
  // Limits of its own: the names of those of the service are taken.
  const { sharedLimits: _, ...ctx } = tender.service.ctx
  const licenseId = (await ctx.node.directory.app(tender.sandbox.appId))?.licenseId ?? ''
  const findSignedIn = async (token: string): Promise<SignedIn | undefined> =>
    isRole(token) ? personOf(token, licenseId) : undefined
  const server = createServer({
    ...ctx,
    guards: withSessions(ctx, createGuards(ctx), findSignedIn),
    ready: async () => undefined,
    version: '0.0.0',
    publicUrl: ctx.config.publicUrl,
  })
  compressPages(server.fastify)
  addConsole(server, ctx, { folder: new URL('../../src/console/', import.meta.url), findSignedIn })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${port}`
  const base = `${origin}/console/${tender.sandbox.appId}`
  const ask = async (role: Role, url: string, init: RequestInit = {}): Promise<ConsolePage> => {
    const headers = { cookie: `console=${role}`, ...(init.headers as Record<string, string>) }
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' })
    return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') }
  }
  const urlOf = (path: string) => (path.startsWith('/') ? `${origin}${path}` : `${base}/${path}`)
  return {
    tender,
    sandbox: tender.sandbox,
    live: tender.live,
    origin,
    async open(browser, role, options) {
      const window = await openWindow(browser, origin, options)
      await window.context.addCookies([{ name: 'console', value: role, url: origin }])
      return window
    },
    get: (role, path) => ask(role, urlOf(path)),
    async post(role, path, fields, formPage = path) {
      const { html } = await ask(role, urlOf(formPage))
      const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const body = new URLSearchParams({ form, ...fields })
      return ask(role, urlOf(path), { method: 'POST', body })
    },
    async stop() {
      await server.close()
      await tender.stop()
    },
  }
}

const personOf = (role: Role, licenseId: string): SignedIn => ({
  sessionId: `session-${role}`,
  personId: `per_${role.toLowerCase()}`,
  email: `${role.toLowerCase()}@example.com`,
  name: `${role} Person`,
  isOperator: role === 'Owner',
  hasSecondFactor: false,
  provenTime: new Date(),
  language: null,
  theme: null,
  timeZone: null,
  hasShortcuts: true,
  memberships: [
    { licenseId, role, refundLimits: role === 'Support' ? { EUR: '10000', USD: '10000' } : null },
  ],
})
