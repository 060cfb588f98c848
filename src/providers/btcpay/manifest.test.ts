import { describe, expect, it } from 'vitest'
import { manifest } from './manifest.ts'

const SETTINGS = { serverUrl: 'https://pay.example.com/', storeId: 'abc123', apiKey: 'key' }

const parse = (overrides: object) =>
  manifest.settings.parse({ ...SETTINGS, ...overrides }, { isSandbox: false })

describe('settings of a store', () => {
  it.each([
    ['https://pay.example.com', 'https://pay.example.com'],
    ['https://pay.example.com/', 'https://pay.example.com'],
    ['https://pay.example.com:8443/btcpay/', 'https://pay.example.com:8443/btcpay'],
    ['http://127.0.0.1:23000', 'http://127.0.0.1:23000'],
    ['http://[::1]:23000', 'http://[::1]:23000'],
    ['http://192.168.1.5', 'http://192.168.1.5'],
    ['http://btcpayserver:49392', 'http://btcpayserver:49392'],
    ['http://umbrel.local', 'http://umbrel.local'],
  ])('%s is the server %s', (serverUrl, expected) => {
    expect(parse({ serverUrl })).toMatchObject({ ok: true, config: { serverUrl: expected } })
  })

  it.each([
    'http://pay.example.com',
    'http://172.32.0.1',
    'http://127.0.0.1.example.com',
    'https://user:password@pay.example.com',
    'https://pay.example.com/?store=1',
    'ftp://pay.example.com',
    'pay.example.com',
    '',
    7,
  ])('%s is no server', (serverUrl) => {
    const problems = [{ field: 'serverUrl', message: expect.any(String) }]
    expect(parse({ serverUrl })).toEqual({ ok: false, problems })
  })

  it('names every wrong field', () => {
    const parsed = manifest.settings.parse(undefined, { isSandbox: true })
    expect(!parsed.ok && parsed.problems.map(({ field }) => field)).toEqual([
      'serverUrl',
      'storeId',
      'apiKey',
    ])
    expect(parse({ apiKey: 'two words' })).toMatchObject({ problems: [{ field: 'apiKey' }] })
    expect(parse({ storeId: '../other' })).toMatchObject({ problems: [{ field: 'storeId' }] })
    expect(parse({ webhookSecret: 7 })).toMatchObject({ problems: [{ field: 'webhookSecret' }] })
  })

  it('works without the secret of a webhook until one is registered', () => {
    const { webhookSecret: _none, ...parsed } = { webhookSecret: undefined, ...parse({}) }
    expect(parsed).toEqual({ ok: true, config: { ...SETTINGS, serverUrl: 'https://pay.example.com' } })
  })

  it('allows pages of the server only', () => {
    const config = { ...SETTINGS, serverUrl: 'https://pay.example.com/btcpay' }
    expect(manifest.pageOrigins?.(config, config.serverUrl)).toEqual(['https://pay.example.com'])
    expect(manifest.origin(config, false)).toBe('https://pay.example.com/btcpay')
  })
})
