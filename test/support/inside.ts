import { Secret } from '../../src/base/secret.ts'
import { composeContext, openOutside } from '../../src/compose.ts'
import type { Config } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import type { App } from '../../src/merchants/app.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { openSession } from '../../src/people/sessions/sessions.ts'
import { insertMembership } from '../../src/people/store/memberships.ts'
import { insertPerson } from '../../src/people/store/people.ts'

const CLIENT = { address: '127.0.0.1', network: '127.0.0.1', userAgent: 'bench', requestId: 'req_bench' }

export interface Inside {
  readonly ctx: Context
  readonly app: App
  close(): Promise<void>
}

interface Place {
  readonly url: string
  readonly databaseUrl: string
  readonly secretKey: string
  readonly appId: string
}

/** The commands in this process, for what a running service has no route for. */
export async function openInside({ url, databaseUrl, secretKey, appId }: Place): Promise<Inside> {
  const config: Config = {
    ...{ port: 0, host: '127.0.0.1', publicUrl: url, dataDir: 'unused', rateLimit: 200, role: 'all' },
    ...{ logLevel: 'warn', allowPrivateWebhooks: true, production: true, sandboxBank: false },
    operatorToken: new Secret('unused'),
    secretKeys: [new Secret(secretKey)],
  }
  const { close, ...outside } = openOutside({ config, databaseUrl })
  const ctx = composeContext(config, outside)
  const app = await loadApp(ctx, appId)
  if (!app) throw new Error('the app is missing')
  return { ctx, app, close }
}

/** Views of one session: it may see so many at once. */
const VIEWS = 150

/** Reads pages of the app's console, with the sessions of new owners. */
export async function openPages(url: string, { ctx, app }: Inside) {
  let cookie = ''
  let views = 0
  return async (path: string, accept = 'text/html'): Promise<void> => {
    if (views % VIEWS === 0) cookie = `console=${await ownerSession(ctx, app)}`
    views++
    const reply = await fetch(`${url}/console/${app.appId}${path}`, { headers: { cookie, accept } })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`)
    // Without a session the answer is the sign-in page.
    if (!new URL(reply.url).pathname.includes(app.appId)) throw new Error(`${path} led to ${reply.url}`)
  }
}

async function ownerSession(ctx: Context, { licenseId }: App): Promise<string> {
  const now = ctx.clock.now()
  const personId = `usr_bench${now.getTime()}`
  const owner = { personId, email: `${personId}@example.com`, name: 'Owner', passwordHash: null }
  return ctx.db.transaction(async (tx) => {
    await insertPerson(tx, { ...owner, isOperator: false, now })
    await insertMembership(tx, { licenseId, personId, role: 'Owner', refundLimits: null, now })
    return openSession(ctx, tx, personId, CLIENT)
  })
}
