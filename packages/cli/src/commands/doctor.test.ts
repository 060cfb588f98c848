import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../src/net/free-port.ts'
import { answerWith, type Receiver, settings, startReceiver } from '../../../../test/support/receiver.ts'
import { good, startTestService, type TestService } from '../../../../test/support/tender.ts'
import { run } from '../run.ts'

let service: TestService
let receiver: Receiver
beforeAll(async () => {
  service = await startTestService('cli_doctor')
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver?.stop()
  await service?.stop()
})

/** The exit code and what was found: subjects with their status, and the texts. */
async function doctor(env: Record<string, string> = {}) {
  const { appId, apiKey } = service.sandbox
  const known = { TENDER_URL: service.url, TENDER_APP_ID: appId, TENDER_API_KEY: apiKey }
  const out: string[] = []
  const io = {
    env: { ...known, ...env },
    signal: new AbortController().signal,
    out: (text: string) => out.push(text),
    err: (text: string) => out.push(text),
  }
  const code = await run(['doctor', '--json'], io)
  const findings: { subject: string; status: string; message: string; todo?: string }[] = JSON.parse(
    out.join(''),
  )
  for (const { status, todo } of findings) expect(todo !== undefined).toBe(status !== 'ok')
  return {
    code,
    found: findings.map(({ subject, status }) => `${subject} ${status}`),
    text: findings.map(({ message, todo = '' }) => `${message} ${todo}`).join('\n'),
  }
}

describe('tender doctor', () => {
  it('finds nothing wrong with an app that is set up', async () => {
    await settings(service.sandbox, { paymentWebhookUrl: receiver.url })
    const { code, found } = await doctor()
    expect([...new Set(found)]).toEqual([
      'service ok',
      'clock ok',
      'key ok',
      'address ok',
      'provider ok',
      'webhooks ok',
    ])
    expect(code).toBe(0)
  })

  it('warns of missing webhooks without failing', async () => {
    await settings(service.sandbox, { paymentWebhookUrl: '' })
    good(await service.sandbox.call('DELETE', 'webhook-signing-secret'))
    const { code, found, text } = await doctor()
    const webhooks = found.filter((finding) => finding.startsWith('webhooks'))
    expect([code, webhooks]).toEqual([0, ['webhooks warning', 'webhooks warning']])
    expect(text).toContain('Webhooks are not signed.')
  })

  it('shows an address that refuses webhooks', async () => {
    receiver.answer = answerWith(410)
    await settings(service.sandbox, { paymentWebhookUrl: receiver.url })
    await service.sandbox.create()
    await expect.poll(async () => (await doctor()).text).toContain('is disabled')
    expect((await doctor()).code).toBe(1)
  })

  it('shows what a live app needs: https and a provider', async () => {
    const { appId, apiKey } = service.live
    const { code, found } = await doctor({ TENDER_APP_ID: appId, TENDER_API_KEY: apiKey })
    expect(code).toBe(1)
    expect(found.slice(3, 5)).toEqual(['address problem', 'provider problem'])
  })

  it('shows a wrong key and an app of another key', async () => {
    const wrong = await doctor({ TENDER_API_KEY: 'sk_sandbox_wrong' })
    expect([wrong.code, wrong.found]).toEqual([1, ['service ok', 'clock ok', 'key problem']])
    expect((await doctor({ TENDER_APP_ID: service.live.appId })).text).toContain('separate keys')
  })

  it('shows a service that is not there, has no database, or has another time', async () => {
    const url = `http://127.0.0.1:${await freePort('127.0.0.1')}`
    expect((await doctor({ TENDER_URL: url })).found).toEqual(['service problem'])
    let status = 503
    const other = createServer(({ url: path = '' }, response) => {
      const answer = path.startsWith('/health/') ? status : 401
      response.writeHead(answer, { date: 'Mon, 01 Jan 2024 00:00:00 GMT' }).end('{"status":"ok"}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const env = { TENDER_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
    try {
      expect((await doctor(env)).found).toEqual(['database problem'])
      status = 200
      expect((await doctor(env)).found).toEqual(['service ok', 'clock problem', 'key problem'])
    } finally {
      other.close()
      other.closeAllConnections()
    }
  })
})
