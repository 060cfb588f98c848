import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Secret } from '../base/secret.ts'
import { addressesOf } from '../db/addresses.ts'
import { MAIL_SETTINGS } from './mail.ts'
import { MONITORING_SETTINGS } from './monitoring.ts'
import { OIDC_SETTINGS } from './oidc.ts'
import {
  count,
  databaseUrl,
  headerName,
  hostNames,
  MIN_KEY_LENGTH,
  oneOf,
  onOrOff,
  providerOrigins,
  publicUrl,
  type Setting,
  secretKeys,
  trustedProxies,
  wholeNumber,
  yesOrNo,
} from './values.ts'

/** How requests reach the service. */
const NETWORK_SETTINGS = {
  OWN_HOSTS: {
    description:
      'Further host names of this installation beside that of `PUBLIC_URL`, such as an alias or the name ' +
      'in a cluster. No checkout can take them, and they always serve everything.',
    mustBe: 'host names without scheme and port, separated by commas',
    parse: hostNames,
    defaultSays: 'none',
  },
  TRUSTED_PROXIES: {
    description:
      'The reverse proxies in front of the service. The client address header is trusted only from ' +
      'them. Behind a proxy that is not listed, every client has the address of the proxy.',
    mustBe: 'IP addresses and ranges such as 10.0.0.0/8, separated by commas, and not every address',
    parse: trustedProxies,
    defaultSays: 'none',
  },
  CLIENT_ADDRESS_HEADER: {
    description:
      'The header in which those proxies send the client address: the rightmost address in it ' +
      'that is not a trusted proxy. `Forwarded` is parsed as RFC 7239, any other as a list of addresses.',
    mustBe: 'the name of a header, such as X-Forwarded-For, X-Real-IP, CF-Connecting-IP or Forwarded',
    parse: headerName,
    byDefault: 'X-Forwarded-For',
  },
} as const satisfies Record<string, Setting<unknown>>

const MAX_WORKERS = 64
const MAX_CONNECTIONS = 100
const MAX_REQUESTS = 1_000_000

/** All settings: they are parsed, validated and documented from this table. */
export const SETTINGS = {
  NODE_ENV: {
    description: 'Production creates no demo data and generates no secrets: required settings must be set.',
    mustBe: '"production" or "development"',
    parse: oneOf('production', 'development', 'test'),
    byDefault: 'development',
  },
  PORT: {
    description: 'The port to listen on; 0 chooses a free one.',
    mustBe: 'a whole number from 0 to 65535',
    parse: wholeNumber(65_535),
    byDefault: '8080',
  },
  HOST: {
    description: 'The address to listen on. In development only this machine can reach the service.',
    mustBe: 'an IP address or a host name',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
    byDefault: { development: '127.0.0.1', production: '0.0.0.0' },
  },
  PUBLIC_URL: {
    description: "The URL under which customers' browsers and payment providers reach the service.",
    mustBe: 'an http or https address without user, query or fragment',
    parse: publicUrl,
    byDefault: 'http://localhost:{PORT}',
  },
  DATA_DIR: {
    description: 'The folder of the embedded database and of generated secrets.',
    mustBe: 'a folder',
    parse: (text) => resolve(text),
    byDefault: './data',
  },
  DATABASE_URL: {
    description:
      'A PostgreSQL server, 15 or newer, to use instead of the embedded one. Several hosts separated by ' +
      'commas are one primary and its standbys: the writable one is used, and found again after a failover.',
    mustBe: 'an address like postgres://user:password@host:5432/database, or with several host:port',
    parse: databaseUrl,
    defaultSays: 'the embedded PostgreSQL in `DATA_DIR`',
    isSecret: true,
  },
  DATABASE_REPLICA_URL: {
    description:
      'A replica of that server. Lists of customers, events and webhooks are read from it and may be ' +
      'slightly stale; while it is unreachable they are read from the primary.',
    mustBe: 'an address like postgres://user:password@host:5432/database',
    parse: (text) => (addressesOf(text).length > 1 ? undefined : databaseUrl(text)),
    defaultSays: 'everything is read from the primary',
    isSecret: true,
  },
  SECRET_KEY: {
    description:
      'Encrypts provider credentials and signs links. To rotate, put the new key before the old one, ' +
      'separated by a comma: the first encrypts, all of them decrypt.',
    mustBe: `at least ${MIN_KEY_LENGTH} characters, or several such keys separated by commas`,
    parse: secretKeys,
    defaultSays: 'development: generated, stored in `DATA_DIR/secret-key`; production: required',
    isSecret: true,
  },
  OPERATOR_TOKEN: {
    description: 'The bearer token that authorises creating licences.',
    mustBe: `visible characters without spaces, in production at least ${MIN_KEY_LENGTH}`,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined),
    defaultSays:
      'development: generated, stored in `DATA_DIR/operator-token`; production: no licences can be created',
    isSecret: true,
  },
  ROLE: {
    description:
      'The role of this process: answer requests (web), run background jobs (worker), or both (all).',
    mustBe: '"all", "web" or "worker"',
    parse: oneOf('all', 'web', 'worker'),
    byDefault: 'all',
  },
  WORKERS: {
    description:
      'The number of processes, or auto for one per core. They share the port, the database and the rate ' +
      'limits; a process that ends is replaced.',
    mustBe: `a whole number from 1 to ${MAX_WORKERS}, or "auto"`,
    parse: (text) =>
      text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : count(text, MAX_WORKERS),
    byDefault: '1',
  },
  DATABASE_POOL: {
    description:
      'The maximum number of PostgreSQL connections of one process, in addition to one for LISTEN.',
    mustBe: `a whole number from 1 to ${MAX_CONNECTIONS}`,
    parse: (text) => count(text, MAX_CONNECTIONS),
    defaultSays: '`8`; with several `WORKERS` `4` for each, as more would only queue inside PostgreSQL',
  },
  RATE_LIMIT: {
    description: 'Requests per second of one API key, on all nodes together; the burst is twice as many.',
    mustBe: `a whole number from 1 to ${MAX_REQUESTS}`,
    parse: (text) => count(text, MAX_REQUESTS),
    byDefault: '200',
  },
  APP_RATE_LIMIT: {
    description: 'The same for all API keys of one app together.',
    mustBe: `a whole number from 1 to ${MAX_REQUESTS}`,
    parse: (text) => count(text, MAX_REQUESTS),
    defaultSays: '`1000`, or `RATE_LIMIT` where that is more',
  },
  ...NETWORK_SETTINGS,
  LOG_LEVEL: {
    description: 'The lowest level that is logged.',
    mustBe: '"debug", "info", "warn" or "error"',
    parse: oneOf('debug', 'info', 'warn', 'error'),
    byDefault: 'info',
  },
  ALLOW_PRIVATE_WEBHOOKS: {
    description:
      'Whether webhooks, and calls to a provider on a server of the merchant, may go to loopback and ' +
      'private addresses. Link-local ones are never allowed.',
    mustBe: '"true" or "false"',
    parse: yesOrNo,
    byDefault: { development: 'true', production: 'false' },
  },
  PROVIDER_ORIGINS: {
    description:
      'Sends calls of sandbox apps to another origin, for tests or through a proxy: JSON such as ' +
      '`{"stripe":"http://127.0.0.1:12111"}`. Live apps never use it.',
    mustBe: 'a JSON object of provider ids and http or https origins',
    parse: providerOrigins,
    defaultSays: "the providers' own addresses",
  },
  SANDBOX_BANK: {
    description:
      'Whether the built-in test provider runs. `off` is for installations with live apps only: no ' +
      'provider `sandbox`, no test helpers, no demo data. The same on all nodes.',
    mustBe: '"on" or "off"',
    parse: onOrOff,
    byDefault: 'on',
  },
  API_LOG: {
    description:
      'Whether requests of apps are stored for a week, for the API log and the timelines of payments.',
    mustBe: '"on" or "off"',
    parse: onOrOff,
    byDefault: 'on',
  },
  SETTLEMENT_FOLDER: {
    description:
      'A folder whose settlement reports are imported: each payment profile has a sub-folder with its id. ' +
      'Files are moved to `done` or `failed` in it.',
    mustBe: 'a folder',
    parse: (text) => resolve(text),
    defaultSays: 'none',
  },
  ...OIDC_SETTINGS,
  ...MAIL_SETTINGS,
  ...MONITORING_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>
