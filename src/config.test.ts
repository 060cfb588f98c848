import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from './base/start-error.ts'
import { configReference, envExample } from './config/docs.ts'
import { loadConfig } from './config.ts'

const KEY = 'k'.repeat(32)
const root = mkdtempSync(join(tmpdir(), 'tender-config-'))
let DATA_DIR = root
let count = 0

beforeEach(() => {
  DATA_DIR = join(root, `data-${count++}`)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const problemsOf = async (env: Record<string, string>): Promise<string[]> => {
  const error = await loadConfig({ DATA_DIR, ...env }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message.split('\n')
}

describe('SANDBOX_BANK', () => {
  test('is on unless it is off', async () => {
    expect(await loadConfig({ DATA_DIR })).toMatchObject({ sandboxBank: true })
    expect(await loadConfig({ DATA_DIR, SANDBOX_BANK: 'on' })).toMatchObject({ sandboxBank: true })
    expect(await loadConfig({ DATA_DIR, SANDBOX_BANK: 'off' })).toMatchObject({ sandboxBank: false })
    expect(await problemsOf({ SANDBOX_BANK: 'no' })).toEqual(['SANDBOX_BANK must be "on" or "off", got "no"'])
  })
})

describe('OWN_HOSTS', () => {
  test('are names in lower case', async () => {
    expect(await loadConfig({ DATA_DIR })).not.toHaveProperty('ownHosts')
    const ownHosts = ['tender', 'pay.example.com']
    expect(await loadConfig({ DATA_DIR, OWN_HOSTS: 'tender, Pay.Example.com.' })).toMatchObject({ ownHosts })
    for (const wrong of ['https://x.example', 'a b', 'x.example:80', 'x.example,'])
      expect((await problemsOf({ OWN_HOSTS: wrong }))[0]).toContain('OWN_HOSTS must be')
  })
})

describe('METRICS_PORT', () => {
  test('is absent by default, and other than PORT', async () => {
    expect(await loadConfig({ DATA_DIR })).not.toHaveProperty('metricsPort')
    expect(await loadConfig({ DATA_DIR, METRICS_PORT: '9464' })).toMatchObject({ metricsPort: 9464 })
    expect(await problemsOf({ METRICS_PORT: '8080' })).toEqual(['METRICS_PORT must differ from PORT'])
    for (const wrong of ['0', '65536', 'on'])
      expect((await problemsOf({ METRICS_PORT: wrong }))[0]).toContain('METRICS_PORT must be')
  })
})

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const endpoint = 'http://127.0.0.1:4318'
  const tracesOf = async (env: Record<string, string>) =>
    (await loadConfig({ DATA_DIR, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env })).traces

  test('is absent by default: no traces, whatever the sampler', async () => {
    expect(await loadConfig({ DATA_DIR, OTEL_TRACES_SAMPLER: 'always_on' })).not.toHaveProperty('traces')
    expect(await tracesOf({})).toEqual({ endpoint, ratio: 0.1, trustsParent: false })
  })

  test.each([
    ['always_on', 1, false],
    ['always_off', 0, false],
    ['traceidratio', 0.25, false],
    ['parentbased_always_on', 1, true],
    ['parentbased_always_off', 0, true],
    ['parentbased_traceidratio', 0.25, true],
  ])('is sampled by %s', async (OTEL_TRACES_SAMPLER, ratio, trustsParent) =>
    expect(await tracesOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toEqual({
      endpoint,
      ratio,
      trustsParent,
    }),
  )

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:pass@collector:4318'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0'],
  ])('refuses %s=%s', async (name, wrong) =>
    expect((await problemsOf({ [name]: wrong }))[0]).toContain(`${name} must be`),
  )
})

describe('SMTP_URL', () => {
  const MAIL_FROM = 'Corner Bookshop <mail@shop.example>'

  test('is absent by default: no e-mails', async () => {
    expect(await loadConfig({ DATA_DIR })).not.toHaveProperty('mail')
    expect(await loadConfig({ DATA_DIR, MAIL_FROM })).not.toHaveProperty('mail')
  })

  test('needs a sender, and its password is never printed', async () => {
    const url = 'smtps://user:pa%40ss@mail.example:465'
    const config = await loadConfig({ DATA_DIR, SMTP_URL: url, MAIL_FROM })
    expect(config.mail?.smtpUrl.reveal()).toBe(url)
    expect(config.mail?.from).toEqual({ name: 'Corner Bookshop', address: 'mail@shop.example' })
    expect(inspect(config)).not.toContain('pa%40ss')
    expect(await problemsOf({ SMTP_URL: url })).toEqual(['MAIL_FROM is required with SMTP_URL'])
    for (const wrong of ['http://mail.example', 'smtp://', 'smtp://mail.example?pool=true', 'mail.example'])
      expect((await problemsOf({ SMTP_URL: wrong, MAIL_FROM }))[0]).toContain('SMTP_URL must be')
    for (const wrong of [
      'no-address',
      'A <b',
      'a@b.example, c@d.example',
      'A <a@b.example>\nBcc: x@y.example',
    ])
      expect((await problemsOf({ SMTP_URL: url, MAIL_FROM: wrong }))[0]).toContain('MAIL_FROM must be')
  })
})

describe('Without any setting', () => {
  test('the service listens on this machine only, on port 8080', async () => {
    const config = await loadConfig({ DATA_DIR })
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      dataDir: DATA_DIR,
      role: 'all',
      rateLimit: 200,
      logLevel: 'info',
      allowPrivateWebhooks: true,
      production: false,
    })
    expect(config).not.toHaveProperty('databaseUrl')
  })

  test('a secret key and an operator token are generated once and readable by their owner only', async () => {
    const [first, second] = await Promise.all([loadConfig({ DATA_DIR }), loadConfig({ DATA_DIR })])
    const third = await loadConfig({ DATA_DIR })
    const reveal = ({ secretKeys, operatorToken }: typeof first) => [
      secretKeys[0]?.reveal(),
      operatorToken?.reveal(),
    ]
    expect(reveal(second)).toEqual(reveal(first))
    expect(reveal(third)).toEqual(reveal(first))
    expect(reveal(first)[0]?.length).toBeGreaterThanOrEqual(32)
    expect(readdirSync(DATA_DIR).sort()).toEqual(['operator-token', 'secret-key'])
    for (const name of readdirSync(DATA_DIR)) expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600)
    expect(third.operatorTokenFile).toBe(join(DATA_DIR, 'operator-token'))
    expect(readFileSync(join(DATA_DIR, 'operator-token'), 'utf8').trim()).toBe(first.operatorToken?.reveal())
  })

  test('an empty value counts as not set', async () => {
    expect(await loadConfig({ DATA_DIR, PORT: '', HOST: ' ', OPERATOR_TOKEN: '' })).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
    })
  })
})

describe('A setting', () => {
  test('is taken as given', async () => {
    const config = await loadConfig({
      DATA_DIR: './somewhere/else',
      PORT: '0',
      HOST: '::1',
      PUBLIC_URL: 'https://pay.example.com/tender/',
      DATABASE_URL: 'postgres://u:p@/db?host=/run/postgresql',
      OPERATOR_TOKEN: 'op_token',
      SECRET_KEY: `${KEY}1, ${KEY}2`,
      ROLE: 'worker',
      RATE_LIMIT: '1000',
      LOG_LEVEL: 'debug',
      ALLOW_PRIVATE_WEBHOOKS: 'false',
      NODE_ENV: 'test',
    })
    expect(config).toMatchObject({
      dataDir: resolve('somewhere/else'),
      port: 0,
      host: '::1',
      publicUrl: 'https://pay.example.com/tender',
      role: 'worker',
      rateLimit: 1000,
      logLevel: 'debug',
      allowPrivateWebhooks: false,
      production: false,
    })
    expect(config.databaseUrl?.reveal()).toBe('postgres://u:p@/db?host=/run/postgresql')
    expect(config.operatorToken?.reveal()).toBe('op_token')
    expect(config.secretKeys.map((key) => key.reveal())).toEqual([`${KEY}1`, `${KEY}2`])
    expect(config).not.toHaveProperty('operatorTokenFile')
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toMatch(/kkkk|op_token|u:p@/)
  })

  test('names the public address by its port when that is not given', async () => {
    expect((await loadConfig({ DATA_DIR, PORT: '9000' })).publicUrl).toBe('http://localhost:9000')
  })

  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, got "abc"'],
    [{ RATE_LIMIT: '0' }, 'RATE_LIMIT must be a whole number from 1 to 1000000, got "0"'],
    [{ APP_RATE_LIMIT: 'x' }, 'APP_RATE_LIMIT must be a whole number from 1 to 1000000, got "x"'],
    [
      { CLIENT_ADDRESS_HEADER: 'X Forwarded' },
      'CLIENT_ADDRESS_HEADER must be the name of a header, such as X-Forwarded-For, X-Real-IP, ' +
        'CF-Connecting-IP or Forwarded, got "X Forwarded"',
    ],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, got "65536"'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535, got "-1"'],
    [{ PORT: '8e1' }, 'PORT must be a whole number from 0 to 65535, got "8e1"'],
    [{ HOST: 'a b' }, 'HOST must be an IP address or a host name, got "a b"'],
    [
      { PUBLIC_URL: 'pay.example.com' },
      'PUBLIC_URL must be an http or https address without user, query or fragment, got "pay.example.com"',
    ],
    [{ ROLE: 'both' }, 'ROLE must be "all", "web" or "worker", got "both"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be "debug", "info", "warn" or "error", got "loud"'],
    [{ ALLOW_PRIVATE_WEBHOOKS: 'maybe' }, 'ALLOW_PRIVATE_WEBHOOKS must be "true" or "false", got "maybe"'],
    [
      { ALLOW_PRIVATE_WEBHOOKS: 'toString' },
      'ALLOW_PRIVATE_WEBHOOKS must be "true" or "false", got "toString"',
    ],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be "production" or "development", got "prod"'],
  ])('that is invalid is refused in one line: %j', async (env, line) => {
    expect(await problemsOf(env)).toEqual([line])
  })

  test.each(['10.0.0.0/33', '10.0.0.0/', 'proxy', '10.0.0.1 10.0.0.2', '0.0.0.0/0', '::/0', '1.2.3.4, x'])(
    'of trusted proxies cannot be %s',
    async (TRUSTED_PROXIES) => {
      expect(await problemsOf({ TRUSTED_PROXIES })).toEqual([
        'TRUSTED_PROXIES must be IP addresses and ranges such as 10.0.0.0/8, separated by commas, ' +
          `and not every address, got "${TRUSTED_PROXIES}"`,
      ])
    },
  )

  test('lists trusted proxies of both kinds', async () => {
    const TRUSTED_PROXIES = '10.0.0.1, 192.168.0.0/16,2001:db8::/32, ::ffff:172.16.0.0/108'
    const config = await loadConfig({ DATA_DIR, TRUSTED_PROXIES, CLIENT_ADDRESS_HEADER: 'X-Real-IP' })
    const ranges = config.trustedProxies?.map(({ first, prefix }) => `${first.toString()}/${prefix}`)
    expect(ranges).toEqual(['10.0.0.1/32', '192.168.0.0/16', '2001:db8::/32', '172.16.0.0/12'])
    expect(config.clientAddressHeader).toBe('x-real-ip')
    expect(await loadConfig({ DATA_DIR })).toMatchObject({
      trustedProxies: [],
      clientAddressHeader: 'x-forwarded-for',
    })
  })

  test.each(['https://u:p@x.test', 'ftp://x.test', 'https://x.test/?a=1', 'https://x.test/#a'])(
    'of a public address cannot be %s',
    async (PUBLIC_URL) => {
      expect(await problemsOf({ PUBLIC_URL })).toHaveLength(1)
    },
  )

  test('that is secret is never repeated in the error', async () => {
    const env = { DATABASE_URL: 'mysql://hush', SECRET_KEY: 'hush', OPERATOR_TOKEN: 'hush hush' }
    const problems = await problemsOf(env)
    expect(problems).toEqual([
      'DATABASE_URL must be an address like postgres://user:password@host:5432/database, ' +
        'or with several host:port',
      'SECRET_KEY must be at least 32 characters, or several such keys separated by commas',
      'OPERATOR_TOKEN must be visible characters without spaces, in production at least 32',
    ])
  })

  test('that is invalid does not hide another: all are listed', async () => {
    const problems = await problemsOf({ PORT: 'x', ROLE: 'x', LOG_LEVEL: 'x', NODE_ENV: 'production' })
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['PORT', 'ROLE', 'LOG_LEVEL', 'SECRET_KEY'])
  })

  test('of a short key among several is refused', async () => {
    expect(await problemsOf({ SECRET_KEY: `${KEY},short` })).toHaveLength(1)
    expect(await problemsOf({ SECRET_KEY: `${KEY},` })).toHaveLength(1)
  })
})

describe('In production', () => {
  test('the secret key is required and no secret is generated', async () => {
    expect(await problemsOf({ NODE_ENV: 'production' })).toEqual([
      'SECRET_KEY is required in production: ' +
        'at least 32 characters, or several such keys separated by commas',
    ])
    const config = await loadConfig({ DATA_DIR, NODE_ENV: 'production', SECRET_KEY: KEY })
    expect(config).not.toHaveProperty('operatorToken')
    expect(() => readdirSync(DATA_DIR)).toThrow('ENOENT')
  })

  test('the operator token has at least 32 characters, and is never repeated in the error', async () => {
    const env = { NODE_ENV: 'production', SECRET_KEY: KEY }
    for (const OPERATOR_TOKEN of ['a', 'o'.repeat(31)])
      expect(await problemsOf({ ...env, OPERATOR_TOKEN })).toEqual([
        'OPERATOR_TOKEN must be visible characters without spaces, in production at least 32',
      ])
    const config = await loadConfig({ DATA_DIR, ...env, OPERATOR_TOKEN: 'o'.repeat(32) })
    expect(config.operatorToken?.reveal()).toBe('o'.repeat(32))
    expect((await loadConfig({ DATA_DIR, OPERATOR_TOKEN: 'a' })).operatorToken?.reveal()).toBe('a')
  })

  test('the service listens on every address and keeps webhooks out of private networks', async () => {
    expect(await loadConfig({ DATA_DIR, NODE_ENV: 'production', SECRET_KEY: KEY })).toMatchObject({
      production: true,
      host: '0.0.0.0',
      allowPrivateWebhooks: false,
    })
  })
})

describe('The generated references', () => {
  test('docs/reference/config.md is current', () => {
    expect(readFileSync('docs/reference/config.md', 'utf8')).toBe(configReference())
  })

  test('.env.example is current, and sets nothing', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample())
    expect(
      envExample()
        .split('\n')
        .filter((line) => line && !line.startsWith('#')),
    ).toEqual([])
  })
})

describe('Several of something', () => {
  test('WORKERS is a number of processes, or one for each core', async () => {
    expect((await loadConfig({ DATA_DIR })).workers).toBe(1)
    expect((await loadConfig({ DATA_DIR, WORKERS: '3' })).workers).toBe(3)
    expect((await loadConfig({ DATA_DIR, WORKERS: 'auto' })).workers).toBeGreaterThanOrEqual(1)
    for (const WORKERS of ['0', '-1', 'all', '65']) expect(await problemsOf({ WORKERS })).toHaveLength(1)
  })

  test('DATABASE_URL may name several hosts, each of which must be one', async () => {
    const url = 'postgres://tender:p@db1:5432,db2:5433/tender?target_session_attrs=read-write'
    expect((await loadConfig({ DATA_DIR, DATABASE_URL: url })).databaseUrl?.reveal()).toBe(url)
    expect(await problemsOf({ DATABASE_URL: 'postgres://tender@db1:x,db2:5433/tender' })).toHaveLength(1)
    expect(await problemsOf({ DATABASE_REPLICA_URL: url })).toHaveLength(1)
  })
})
