import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { request } from 'undici'
import { Secret } from '../../src/base/secret.ts'
import type { Config } from '../../src/config.ts'

/** What the provider says about an account; the account id is the subject. */
export interface OidcAccount {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface TestOidc {
  readonly config: NonNullable<Config['oidc']>
  /** By login. */
  readonly accounts: Map<string, OidcAccount>
  /** Signs in at the provider like a browser, and returns the query of the redirect back. */
  signIn(url: string, login: string): Promise<string>
  /** While `work` runs, ID tokens have the signature of a key that the provider does not publish. */
  withForeignSignature<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** A real OpenID provider on a port of its own. */
export async function startOidcProvider(redirectUri: string): Promise<TestOidc> {
  const accounts = new Map<string, OidcAccount>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = {
    client_id: 'tender',
    client_secret: 'a client secret for tests',
    redirect_uris: [redirectUri],
  }
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true, methods: ['S256'] },
    ttl: Object.fromEntries(
      ['AccessToken', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [name, 600]),
    ),
    cookies: { keys: ['a key for tests'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
  })
  let isForeign = false
  provider.use(async (ctx, next) => {
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (isForeign && body?.id_token) ctx.body = { ...body, id_token: signedByOther(body.id_token) }
  })
  server.on('request', provider.callback())
  return {
    config: {
      issuer,
      clientId: client.client_id,
      clientSecret: new Secret(client.client_secret),
      name: 'Test provider',
    },
    accounts,
    signIn: (url, login) => browse(url, login, redirectUri),
    async withForeignSignature(work) {
      isForeign = true
      return await work().finally(() => {
        isForeign = false
      })
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The same header and claims, signed by a new key. */
function signedByOther(token: string): string {
  const content = token.slice(0, token.lastIndexOf('.'))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

/** Follows redirects and submits the forms for login and consent. */
async function browse(start: string, login: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next: { url: string; body?: string } = { url: start }
  for (let step = 0; step < 12; step++) {
    if (next.url.startsWith(redirectUri)) return new URL(next.url).search.slice(1)
    const { status, location, text } = await load(next, cookies)
    if (status >= 400) throw new Error(`the provider answered ${status}: ${text.slice(0, 300)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
    if (location !== undefined) next = { url: new URL(location, next.url).href }
    else if (prompt === 'login')
      next = { url: formOf(text, next.url), body: `prompt=login&login=${login}&password=x` }
    else if (prompt === 'consent') next = { url: formOf(text, next.url), body: 'prompt=consent' }
    else throw new Error(`no form: ${text.slice(0, 300)}`)
  }
  throw new Error('too many redirects')
}

const formOf = (html: string, base: string): string =>
  new URL(/<form[^>]* action="([^"]+)"/.exec(html)?.[1] ?? '', base).href

async function load({ url, body }: { url: string; body?: string }, cookies: Map<string, string>) {
  const reply = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  const { location } = reply.headers
  return { status: reply.statusCode, location: location?.toString(), text: await reply.body.text() }
}
