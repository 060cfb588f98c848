import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Range } from './base/addresses.ts'
import { Secret } from './base/secret.ts'
import { StartError } from './base/start-error.ts'
import {
  count,
  databaseUrl,
  headerName,
  MIN_KEY_LENGTH,
  oneOf,
  publicUrl,
  secretKeys,
  trustedProxies,
  wholeNumber,
  yesOrNo,
} from './config-values.ts'
import { addressesOf } from './db/addresses.ts'
import { keptSecret } from './db/embedded/secret-file.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl?: Secret
  /** Where reads that may be a moment old go. */
  readonly databaseReplicaUrl?: Secret
  /** Connections of each process. */
  readonly databasePool?: number
  /** Processes of this node; absent: this one. */
  readonly workers?: number
  readonly operatorToken?: Secret
  /** Where the operator token lies when we made it up. */
  readonly operatorTokenFile?: string
  /**
   * The first seals, all of them open: SECRET_KEY may hold several, separated by commas, while it is rotated.
   */
  readonly secretKeys: readonly Secret[]
  /** Requests a second of one API key, at all nodes together. */
  readonly rateLimit: number
  /** The same for all keys of an app together; absent: 1,000, or `rateLimit` where that is more. */
  readonly appRateLimit?: number
  /** Whose word about the client's address counts; absent: nobody's. */
  readonly trustedProxies?: readonly Range[]
  /** In lower case; absent: x-forwarded-for. */
  readonly clientAddressHeader?: string
  readonly role: 'all' | 'web' | 'worker'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly allowPrivateWebhooks: boolean
  readonly production: boolean
}

export interface Setting<T> {
  readonly says: string
  /** Completes the sentence "NAME must be …". */
  readonly mustBe: string
  /** Undefined when the text is not what it must be. */
  readonly parse: (text: string) => T | undefined
  /** `{PORT}` stands for that setting's value. */
  readonly byDefault?: string | { readonly development: string; readonly production: string }
  /** For the reference, where the default is not a text. */
  readonly defaultSays?: string
  readonly isSecret?: true
}

const MOST_WORKERS = 64
const MOST_CONNECTIONS = 100
const MOST_REQUESTS = 1_000_000

/** Every setting, once: it is read, refused and documented by this table. */
export const SETTINGS = {
  NODE_ENV: {
    says: 'Production has no demo data and makes up no secrets: what it needs must be set.',
    mustBe: '"production" or "development"',
    parse: oneOf('production', 'development', 'test'),
    byDefault: 'development',
  },
  PORT: {
    says: 'The port to listen on; 0 takes any free one.',
    mustBe: 'a whole number from 0 to 65535',
    parse: wholeNumber(65_535),
    byDefault: '8080',
  },
  HOST: {
    says: 'The address to listen on. In development only this machine can reach the service.',
    mustBe: 'an IP address or a host name',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
    byDefault: { development: '127.0.0.1', production: '0.0.0.0' },
  },
  PUBLIC_URL: {
    says: "The address that customers' browsers and payment providers reach the service by.",
    mustBe: 'an http or https address without user, query or fragment',
    parse: publicUrl,
    byDefault: 'http://localhost:{PORT}',
  },
  DATA_DIR: {
    says: 'The folder of the embedded database and of secrets that were made up.',
    mustBe: 'a folder',
    parse: (text) => resolve(text),
    byDefault: './data',
  },
  DATABASE_URL: {
    says:
      'A PostgreSQL server, 15 or newer, to use in place of the embedded one. Several hosts separated by ' +
      'commas are one primary and its standbys: the one that takes writes is used, and found again after a ' +
      'failover.',
    mustBe: 'an address like postgres://user:password@host:5432/database, or with several host:port',
    parse: databaseUrl,
    defaultSays: 'the embedded PostgreSQL in `DATA_DIR`',
    isSecret: true,
  },
  DATABASE_REPLICA_URL: {
    says:
      'A replica of that server. Lists of customers, events and webhooks are read there and may be a ' +
      'moment old; while it is away they are read at the primary.',
    mustBe: 'an address like postgres://user:password@host:5432/database',
    parse: (text) => (addressesOf(text).length > 1 ? undefined : databaseUrl(text)),
    defaultSays: 'everything is read at the primary',
    isSecret: true,
  },
  SECRET_KEY: {
    says:
      'Encrypts provider credentials and signs links. To rotate, put the new key before the old one, ' +
      'separated by a comma: the first encrypts, all of them decrypt.',
    mustBe: `at least ${MIN_KEY_LENGTH} characters, or several such keys separated by commas`,
    parse: secretKeys,
    defaultSays: 'development: made up and kept in `DATA_DIR/secret-key`; production: required',
    isSecret: true,
  },
  OPERATOR_TOKEN: {
    says: 'Whoever presents it may create licences.',
    mustBe: 'visible characters without spaces',
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined),
    defaultSays:
      'development: made up and kept in `DATA_DIR/operator-token`; production: no licences can be created',
    isSecret: true,
  },
  ROLE: {
    says: 'What this process does: answer requests (web), the work behind them (worker), or both (all).',
    mustBe: '"all", "web" or "worker"',
    parse: oneOf('all', 'web', 'worker'),
    byDefault: 'all',
  },
  WORKERS: {
    says:
      'How many processes answer and work: a number, or auto for one on each core. They share the port, ' +
      'the database and the rate limits, and one that ends is replaced.',
    mustBe: `a whole number from 1 to ${MOST_WORKERS}, or "auto"`,
    parse: (text) =>
      text === 'auto' ? Math.min(availableParallelism(), MOST_WORKERS) : count(text, MOST_WORKERS),
    byDefault: '1',
  },
  DATABASE_POOL: {
    says: 'The most connections to PostgreSQL that one process opens, beside one to listen.',
    mustBe: `a whole number from 1 to ${MOST_CONNECTIONS}`,
    parse: (text) => count(text, MOST_CONNECTIONS),
    defaultSays: '`8`; with several `WORKERS` `4` for each: more only queue inside PostgreSQL',
  },
  RATE_LIMIT: {
    says:
      'How many requests a second one API key may make, at all nodes of a database together; twice as many ' +
      'at once.',
    mustBe: `a whole number from 1 to ${MOST_REQUESTS}`,
    parse: (text) => count(text, MOST_REQUESTS),
    byDefault: '200',
  },
  APP_RATE_LIMIT: {
    says: 'The same for all API keys of one app together.',
    mustBe: `a whole number from 1 to ${MOST_REQUESTS}`,
    parse: (text) => count(text, MOST_REQUESTS),
    defaultSays: '`1000`, or `RATE_LIMIT` where that is more',
  },
  TRUSTED_PROXIES: {
    says:
      'The reverse proxies in front of the service. Only from them is a header with the address of the ' +
      'client believed; without them every client has the address of the proxy.',
    mustBe: 'IP addresses and ranges such as 10.0.0.0/8, separated by commas, and not every address',
    parse: trustedProxies,
    defaultSays: 'none',
  },
  CLIENT_ADDRESS_HEADER: {
    says:
      'The one header in which those proxies name the client. The client is the rightmost address in it ' +
      'that is not a trusted proxy. `Forwarded` is read as RFC 7239 says, any other as a list of addresses.',
    mustBe: 'the name of a header, such as X-Forwarded-For, X-Real-IP, CF-Connecting-IP or Forwarded',
    parse: headerName,
    byDefault: 'X-Forwarded-For',
  },
  LOG_LEVEL: {
    says: 'The least important kind of log line that is written.',
    mustBe: '"debug", "info", "warn" or "error"',
    parse: oneOf('debug', 'info', 'warn', 'error'),
    byDefault: 'info',
  },
  ALLOW_PRIVATE_WEBHOOKS: {
    says: 'Whether webhooks may go to loopback and private addresses. Link-local ones are never allowed.',
    mustBe: '"true" or "false"',
    parse: yesOrNo,
    byDefault: { development: 'true', production: 'false' },
  },
} as const satisfies Record<string, Setting<unknown>>

type Name = keyof typeof SETTINGS
/** A setting without a default may stay without a value. */
type Value<N extends Name> =
  | NonNullable<ReturnType<(typeof SETTINGS)[N]['parse']>>
  | Absent<(typeof SETTINGS)[N]>
type Absent<S> = S extends { readonly byDefault: string | object } ? never : undefined
type Environment = Readonly<Record<string, string | undefined>>

type Values = { readonly [N in Name]: Value<N> }

/** Reads all settings; when some are wrong, one StartError names every one of them, a line each. */
export async function loadConfig(env: Environment): Promise<Config> {
  const problems: string[] = []
  const names = Object.keys(SETTINGS) as Name[]
  const values = Object.fromEntries(
    names.map((name) => [name, read(name, env, problems)]),
  ) as unknown as Values
  const production = isProduction(env)
  if (production && !given(env, 'SECRET_KEY'))
    problems.push(`SECRET_KEY is required in production: ${SETTINGS.SECRET_KEY.mustBe}`)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    dataDir: values.DATA_DIR,
    ...(values.DATABASE_URL && { databaseUrl: values.DATABASE_URL }),
    ...(values.DATABASE_REPLICA_URL && { databaseReplicaUrl: values.DATABASE_REPLICA_URL }),
    role: values.ROLE,
    workers: values.WORKERS,
    ...(values.DATABASE_POOL && { databasePool: values.DATABASE_POOL }),
    rateLimit: values.RATE_LIMIT,
    ...(values.APP_RATE_LIMIT && { appRateLimit: values.APP_RATE_LIMIT }),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    clientAddressHeader: values.CLIENT_ADDRESS_HEADER,
    logLevel: values.LOG_LEVEL,
    allowPrivateWebhooks: values.ALLOW_PRIVATE_WEBHOOKS,
    ...(await secretsOf(values, production)),
  }
}

/** Production makes nothing up: a key that only one machine's disk knows would be lost with it. */
async function secretsOf(
  { SECRET_KEY, OPERATOR_TOKEN, DATA_DIR }: Values,
  production: boolean,
): Promise<Pick<Config, 'secretKeys' | 'operatorToken' | 'operatorTokenFile'>> {
  const secretKeys = SECRET_KEY ?? [await madeUp(DATA_DIR, 'secret-key')]
  if (OPERATOR_TOKEN) return { secretKeys, operatorToken: OPERATOR_TOKEN }
  if (production) return { secretKeys }
  const operatorToken = await madeUp(DATA_DIR, 'operator-token')
  return { secretKeys, operatorToken, operatorTokenFile: join(DATA_DIR, 'operator-token') }
}

async function madeUp(dataDir: string, name: string): Promise<Secret> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return new Secret(await keptSecret(join(dataDir, name)))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`)
  }
}

/** Undefined when there is no value, or when it is wrong, which is then one of the problems. */
function read(name: Name, env: Environment, problems: string[]): unknown {
  const { parse, byDefault, mustBe, isSecret }: Setting<unknown> = SETTINGS[name]
  const own = given(env, name)
  const value = parse(own || defaultFor(byDefault, env))
  if (value === undefined && own)
    problems.push(`${name} must be ${mustBe}${isSecret ? '' : `, got ${JSON.stringify(own)}`}`)
  return value
}

/** An empty value is no value: that is how compose files and shells pass on what is not set. */
const given = (env: Environment, name: Name): string => env[name]?.trim() ?? ''

const isProduction = (env: Environment): boolean => given(env, 'NODE_ENV') === 'production'

function defaultFor(byDefault: Setting<unknown>['byDefault'], env: Environment): string {
  const text =
    typeof byDefault === 'object' ? byDefault[isProduction(env) ? 'production' : 'development'] : byDefault
  return text?.replace('{PORT}', given(env, 'PORT') || SETTINGS.PORT.byDefault) ?? ''
}
