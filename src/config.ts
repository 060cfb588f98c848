import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Range } from './base/addresses.ts'
import { Secret } from './base/secret.ts'
import { StartError } from './base/start-error.ts'
import { MAIL_SETTINGS, type MailConfig, readMail } from './config/mail.ts'
import { MONITORING_SETTINGS, type MonitoringConfig, readMonitoring } from './config/monitoring.ts'
import { NETWORK_SETTINGS } from './config/network.ts'
import { OIDC_SETTINGS, type OidcConfig, readOidc } from './config/oidc.ts'
import { secretsOf } from './config/secrets.ts'
import {
  count,
  databaseUrl,
  MIN_KEY_LENGTH,
  oneOf,
  onOrOff,
  providerOrigins,
  publicUrl,
  type Setting,
  secretKeys,
  wholeNumber,
  yesOrNo,
} from './config/values.ts'
import { addressesOf } from './db/addresses.ts'

export interface Config extends MonitoringConfig {
  readonly port: number
  readonly host: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  /** Further names of this installation, in lower case. */
  readonly ownHosts?: readonly string[]
  readonly dataDir: string
  readonly databaseUrl?: Secret
  /** For reads that may be stale. */
  readonly databaseReplicaUrl?: Secret
  /** Connections of each process. */
  readonly databasePool?: number
  /** Processes of this node; absent: one. */
  readonly workers?: number
  readonly operatorToken?: Secret
  /** The file of a generated operator token. */
  readonly operatorTokenFile?: string
  /** The first encrypts, all decrypt: SECRET_KEY holds several, separated by commas, during a rotation. */
  readonly secretKeys: readonly Secret[]
  /** Requests a second of one API key, on all nodes together. */
  readonly rateLimit: number
  /** The same for all keys of an app together; absent: 1,000, or `rateLimit` where that is more. */
  readonly appRateLimit?: number
  /** Proxies whose client address header is trusted; absent: none. */
  readonly trustedProxies?: readonly Range[]
  /** In lower case; absent: x-forwarded-for. */
  readonly clientAddressHeader?: string
  readonly role: 'all' | 'web' | 'worker'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly allowPrivateWebhooks: boolean
  /** By provider id: where calls of sandbox apps go instead. */
  readonly providerOrigins?: Readonly<Record<string, string>>
  /** Whether the built-in test provider runs; absent: it does. */
  readonly sandboxBank?: boolean
  /** Whether requests of apps are logged in the database; absent: they are. */
  readonly apiLog?: boolean
  /** Absent: no sign-in by OpenID Connect. */
  readonly oidc?: OidcConfig
  /** Absent: no e-mails. */
  readonly mail?: MailConfig
  readonly production: boolean
}

const MOST_WORKERS = 64
const MOST_CONNECTIONS = 100
const MOST_REQUESTS = 1_000_000

/** All settings: they are parsed, validated and documented from this table. */
export const SETTINGS = {
  NODE_ENV: {
    says: 'Production creates no demo data and generates no secrets: required settings must be set.',
    mustBe: '"production" or "development"',
    parse: oneOf('production', 'development', 'test'),
    byDefault: 'development',
  },
  PORT: {
    says: 'The port to listen on; 0 chooses a free one.',
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
    says: "The URL under which customers' browsers and payment providers reach the service.",
    mustBe: 'an http or https address without user, query or fragment',
    parse: publicUrl,
    byDefault: 'http://localhost:{PORT}',
  },
  DATA_DIR: {
    says: 'The folder of the embedded database and of generated secrets.',
    mustBe: 'a folder',
    parse: (text) => resolve(text),
    byDefault: './data',
  },
  DATABASE_URL: {
    says:
      'A PostgreSQL server, 15 or newer, to use instead of the embedded one. Several hosts separated by ' +
      'commas are one primary and its standbys: the writable one is used, and found again after a failover.',
    mustBe: 'an address like postgres://user:password@host:5432/database, or with several host:port',
    parse: databaseUrl,
    defaultSays: 'the embedded PostgreSQL in `DATA_DIR`',
    isSecret: true,
  },
  DATABASE_REPLICA_URL: {
    says:
      'A replica of that server. Lists of customers, events and webhooks are read from it and may be ' +
      'slightly stale; while it is unreachable they are read from the primary.',
    mustBe: 'an address like postgres://user:password@host:5432/database',
    parse: (text) => (addressesOf(text).length > 1 ? undefined : databaseUrl(text)),
    defaultSays: 'everything is read from the primary',
    isSecret: true,
  },
  SECRET_KEY: {
    says:
      'Encrypts provider credentials and signs links. To rotate, put the new key before the old one, ' +
      'separated by a comma: the first encrypts, all of them decrypt.',
    mustBe: `at least ${MIN_KEY_LENGTH} characters, or several such keys separated by commas`,
    parse: secretKeys,
    defaultSays: 'development: generated, stored in `DATA_DIR/secret-key`; production: required',
    isSecret: true,
  },
  OPERATOR_TOKEN: {
    says: 'The bearer token that authorises creating licences.',
    mustBe: `visible characters without spaces, in production at least ${MIN_KEY_LENGTH}`,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined),
    defaultSays:
      'development: generated, stored in `DATA_DIR/operator-token`; production: no licences can be created',
    isSecret: true,
  },
  ROLE: {
    says: 'The role of this process: answer requests (web), run background jobs (worker), or both (all).',
    mustBe: '"all", "web" or "worker"',
    parse: oneOf('all', 'web', 'worker'),
    byDefault: 'all',
  },
  WORKERS: {
    says:
      'The number of processes, or auto for one per core. They share the port, the database and the rate ' +
      'limits; a process that ends is replaced.',
    mustBe: `a whole number from 1 to ${MOST_WORKERS}, or "auto"`,
    parse: (text) =>
      text === 'auto' ? Math.min(availableParallelism(), MOST_WORKERS) : count(text, MOST_WORKERS),
    byDefault: '1',
  },
  DATABASE_POOL: {
    says: 'The maximum number of PostgreSQL connections of one process, in addition to one for LISTEN.',
    mustBe: `a whole number from 1 to ${MOST_CONNECTIONS}`,
    parse: (text) => count(text, MOST_CONNECTIONS),
    defaultSays: '`8`; with several `WORKERS` `4` for each, as more would only queue inside PostgreSQL',
  },
  RATE_LIMIT: {
    says: 'Requests per second of one API key, on all nodes together; the burst is twice as many.',
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
  ...NETWORK_SETTINGS,
  LOG_LEVEL: {
    says: 'The lowest level that is logged.',
    mustBe: '"debug", "info", "warn" or "error"',
    parse: oneOf('debug', 'info', 'warn', 'error'),
    byDefault: 'info',
  },
  ALLOW_PRIVATE_WEBHOOKS: {
    says:
      'Whether webhooks, and calls to a provider on a server of the merchant, may go to loopback and ' +
      'private addresses. Link-local ones are never allowed.',
    mustBe: '"true" or "false"',
    parse: yesOrNo,
    byDefault: { development: 'true', production: 'false' },
  },
  PROVIDER_ORIGINS: {
    says:
      'Sends calls of sandbox apps to another origin, for tests or through a proxy: JSON such as ' +
      '`{"stripe":"http://127.0.0.1:12111"}`. Live apps never use it.',
    mustBe: 'a JSON object of provider ids and http or https origins',
    parse: providerOrigins,
    defaultSays: "the providers' own addresses",
  },
  SANDBOX_BANK: {
    says:
      'Whether the built-in test provider runs. `off` is for installations with live apps only: no ' +
      'provider `sandbox`, no test helpers, no demo data. The same on all nodes.',
    mustBe: '"on" or "off"',
    parse: onOrOff,
    byDefault: 'on',
  },
  API_LOG: {
    says: 'Whether requests of apps are stored for a week, for the API log and the timelines of payments.',
    mustBe: '"on" or "off"',
    parse: onOrOff,
    byDefault: 'on',
  },
  ...OIDC_SETTINGS,
  ...MAIL_SETTINGS,
  ...MONITORING_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>

type Name = keyof typeof SETTINGS
/** Undefined only where a setting has no default. */
type Value<N extends Name> =
  | NonNullable<ReturnType<(typeof SETTINGS)[N]['parse']>>
  | Absent<(typeof SETTINGS)[N]>
type Absent<S> = S extends { readonly byDefault: string | object } ? never : undefined
type Environment = Readonly<Record<string, string | undefined>>

type Values = { readonly [N in Name]: Value<N> }

/** Reads all settings. Throws one StartError that lists all invalid settings, one per line. */
export async function loadConfig(env: Environment): Promise<Config> {
  const problems: string[] = []
  const names = Object.keys(SETTINGS) as Name[]
  const values = Object.fromEntries(
    names.map((name) => [name, read(name, env, problems)]),
  ) as unknown as Values
  const production = isProduction(env)
  if (production && !given(env, 'SECRET_KEY'))
    problems.push(`SECRET_KEY is required in production: ${SETTINGS.SECRET_KEY.mustBe}`)
  if (production && values.OPERATOR_TOKEN && given(env, 'OPERATOR_TOKEN').length < MIN_KEY_LENGTH)
    problems.push(`OPERATOR_TOKEN must be ${SETTINGS.OPERATOR_TOKEN.mustBe}`)
  const oidc = readOidc(values, production, problems)
  const mail = readMail(values, problems)
  const monitoring = readMonitoring(values, problems)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    ...(values.OWN_HOSTS && { ownHosts: values.OWN_HOSTS }),
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
    ...(values.PROVIDER_ORIGINS && { providerOrigins: values.PROVIDER_ORIGINS }),
    sandboxBank: values.SANDBOX_BANK,
    apiLog: values.API_LOG,
    ...oidc,
    ...mail,
    ...monitoring,
    ...(await secretsOf(values, production)),
  }
}

/** Undefined when there is no value, or when it is invalid; then a problem is added. */
function read(name: Name, env: Environment, problems: string[]): unknown {
  const { parse, byDefault, mustBe, isSecret }: Setting<unknown> = SETTINGS[name]
  const own = given(env, name)
  const value = parse(own || defaultFor(byDefault, env))
  if (value === undefined && own)
    problems.push(`${name} must be ${mustBe}${isSecret ? '' : `, got ${JSON.stringify(own)}`}`)
  return value
}

/** An empty value counts as not set: compose files and shells pass unset variables as empty ones. */
const given = (env: Environment, name: Name): string => env[name]?.trim() ?? ''

const isProduction = (env: Environment): boolean => given(env, 'NODE_ENV') === 'production'

function defaultFor(byDefault: Setting<unknown>['byDefault'], env: Environment): string {
  const text =
    typeof byDefault === 'object' ? byDefault[isProduction(env) ? 'production' : 'development'] : byDefault
  return text?.replace('{PORT}', given(env, 'PORT') || SETTINGS.PORT.byDefault) ?? ''
}
