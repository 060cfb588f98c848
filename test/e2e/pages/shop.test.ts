import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../src/net/free-port.ts'
import { chromiumPath } from '../../support/browser.ts'
import { heading, payByCard, stage } from '../../support/pages.ts'

const FILES = ['shop.js', 'page.js', 'package.json']

/** The example as its README installs it: the built SDK and Fastify in its node_modules. */
function install(folder: string): void {
  for (const name of FILES) copyFileSync(join('examples/shop', name), join(folder, name))
  const sdk = join(folder, 'node_modules', 'tender-sdk')
  mkdirSync(sdk, { recursive: true })
  copyFileSync('packages/sdk/package.json', join(sdk, 'package.json'))
  execFileSync('node_modules/.bin/tsc', ['-p', 'packages/sdk', '--outDir', join(sdk, 'dist')])
  symlinkSync(resolve('node_modules/fastify'), join(folder, 'node_modules', 'fastify'))
}

describe.skipIf(!chromiumPath)('the sample shop', () => {
  const set = stage('sample_shop')
  const folder = mkdtempSync(join(tmpdir(), 'tender-shop-'))
  let shop: ChildProcess | undefined
  let said = ''
  let url: string
  beforeAll(async () => {
    install(folder)
    const port = await freePort('127.0.0.1')
    url = `http://localhost:${port}`
    const { appId, apiKey } = set.shop
    shop = spawn(process.execPath, ['shop.js'], {
      cwd: folder,
      env: { TENDER_URL: set.tender.url, APP_ID: appId, API_KEY: apiKey, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [shop.stdout, shop.stderr]) stream?.on('data', (chunk) => (said += chunk))
    await vi.waitFor(() => expect(said).toContain('The shop is open'), { timeout: 60_000 })
  })
  afterAll(async () => {
    if (shop?.exitCode === null) {
      shop.kill()
      await once(shop, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })

  it('has fewer than 200 lines', () => {
    const lines = FILES.flatMap((name) => readFileSync(join('examples/shop', name), 'utf8').split('\n'))
    expect(lines.length).toBeLessThan(200)
  })

  it('sells, is told by a webhook, and refunds', async () => {
    const { page } = await set.open()
    await page.goto(url)
    await page.getByLabel('Coffee beans, 1 kg').fill('2')
    await page.getByLabel('Enamel mug').fill('1')
    await page.getByRole('button', { name: 'Check out' }).click()
    await payByCard(page, 'mouse')
    // The result page returns to the shop by itself.
    await heading(page, /^Order /)
    await page.getByText('Paid', { exact: true }).waitFor()
    expect(await page.getByText('€50.30').count()).toBe(1)

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const { paymentId } = (await set.shop.call('GET', `payments/referenceId:${id}`)).body
    const deliveries = async () => (await set.shop.call('GET', `webhooks?paymentId=${paymentId}`)).body
    await expect
      .poll(async () => (await deliveries()).map(({ status }: { status: string }) => status))
      .toEqual(['delivered', 'delivered', 'delivered'])
    expect(said.match(/Ship order/g)).toHaveLength(1)

    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('Refunded', { exact: true }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    const kinds = (await set.shop.ledger(paymentId)).map(({ kind }) => kind).sort()
    expect(kinds).toEqual(['refund', 'sale'])
  })

  it('refuses a forged webhook and unknown orders, and asks for a filled cart', async () => {
    const headers = { 'content-type': 'application/json' }
    const forged = await fetch(`${url}/hooks`, { method: 'POST', body: '{}', headers })
    expect(forged.status).toBe(400)
    expect((await fetch(`${url}/orders/1`)).status).toBe(404)
    const empty = await fetch(`${url}/checkout`, { method: 'POST', redirect: 'manual' })
    expect([empty.status, empty.headers.get('location')]).toEqual([303, '/'])
  })
})
