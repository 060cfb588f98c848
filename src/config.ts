import type { Range } from './base/addresses.ts'
import type { Secret } from './base/secret.ts'
import { StartError } from './base/start-error.ts'
import { type MailConfig, readMail } from './config/mail.ts'
import { type MonitoringConfig, readMonitoring } from './config/monitoring.ts'
import { type OidcConfig, readOidc } from './config/oidc.ts'
import { secretsOf } from './config/secrets.ts'
import { SETTINGS } from './config/settings.ts'
import { MIN_KEY_LENGTH, type Setting } from './config/values.ts'

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
  /** The folder whose settlement reports are imported; absent: none. */
  readonly settlementFolder?: string
  /** Absent: no sign-in by OpenID Connect. */
  readonly oidc?: OidcConfig
  /** Absent: no e-mails. */
  readonly mail?: MailConfig
  readonly production: boolean
}

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
    ...(values.SETTLEMENT_FOLDER !== undefined && { settlementFolder: values.SETTLEMENT_FOLDER }),
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
