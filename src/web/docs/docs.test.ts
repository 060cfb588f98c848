import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDocs } from '../../../test/support/docs.ts'
import { ERRORS } from '../../base/errors.ts'
import type { Server } from '../../http/server.ts'
import { name } from '../../http/wire.ts'
import { STATES } from '../../payments/machine.ts'
import { TEST_CARDS } from '../../sandbox/values/values.ts'
import { type ApiOperation, operationsOf, readDocument } from './document.ts'
import { curlExample, requestExample } from './example.ts'
import { membersOf } from './fields.ts'

let server: Server
let get: Awaited<ReturnType<typeof startDocs>>['get']
beforeAll(async () => {
  ;({ server, get } = await startDocs())
})
afterAll(() => server.close())

const PAGES = ['/docs', '/docs/errors', '/docs/payment-states', '/docs/test-values']
const document = () => readDocument(server.describe())
const operations = (): ApiOperation[] => operationsOf(document())

describe('the documentation for language models', () => {
  it('has an index with every operation, and one text with all of them and every error', async () => {
    const index = await get('/llms.txt')
    expect([index.status, index.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(index.text).toMatch(/^# Tender\n\n> Version 1\.2\.3\./)
    const full = await get('/llms-full.txt')
    for (const { method, path, summary } of operations()) {
      expect(index.text).toContain(`- \`${method} ${path}\`: ${summary}`)
      expect(full.text).toContain(`### ${method} ${path}\n\n${summary}.`)
    }
    for (const code of Object.keys(ERRORS)) expect(full.text).toContain(code)
    expect(full.text.match(/^# /gm)).toHaveLength(1)
    expect(full.text).not.toContain('<!--')
  })

  it('links to pages that exist', async () => {
    const { text } = await get('/llms.txt')
    const paths = [...text.matchAll(/\]\(http:\/\/localhost:8080([^)]+)\)/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(4)
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
  })
})

describe('every page of the documentation', () => {
  it('loads no external resources and runs only its own script', async () => {
    for (const path of PAGES) {
      const { status, headers, text } = await get(path)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
          "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      expect(text.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull()
      expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*src=)/)
    }
  })

  it('has one first heading, skips no level, and marks the current page', async () => {
    for (const path of PAGES) {
      const { text } = await get(path)
      const levels = [...text.matchAll(/<h([1-6])/g)].map((match) => Number(match[1]))
      expect(levels.filter((level) => level === 1)).toHaveLength(1)
      levels.forEach((level, index) => void expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1))
      expect(text).toContain(`href="${path}" aria-current="page"`)
    }
  })

  it('has an immutable style sheet and script, each within 4 kB compressed', async () => {
    const { text } = await get('/docs')
    const assets = [...text.matchAll(/"(\/assets\/docs\.[0-9a-f]{12}\.(?:css|js))"/g)].map(
      (match) => match[1],
    )
    expect(assets).toHaveLength(2)
    for (const path of assets) {
      const asset = await get(path ?? '')
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(gzipSync(asset.text).length).toBeLessThanOrEqual(4096)
      expect(asset.text).not.toMatch(/localStorage|sessionStorage|cookie|indexedDB/)
    }
  })
})

describe('the reference', () => {
  it('shows every call of the document with its path, its body and its errors', async () => {
    const { text } = await get('/docs')
    expect(operations().length).toBeGreaterThan(20)
    for (const { operationId, method, path } of operations()) {
      expect(text).toContain(`id="${operationId}"`)
      expect(text).toContain(`data-method="${method}" data-path="${path}"`)
    }
    expect(text).toContain('<code class="name">showPayRecurringInCheckout</code>')
    expect(text).toContain('href="/docs/errors#reference_id_reused"')
    expect(text).toContain('id="object-Payment"')
  })

  it('has no broken fragment links', async () => {
    const { text } = await get('/docs')
    const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
  })

  it('shows members with their types: null only where an answer may have it', () => {
    const { Payment, CustomerOrder } = document().components.schemas
    const member = (of: typeof Payment, field: string) =>
      membersOf(of ?? {}).find((one) => one.name === field)
    expect(member(Payment, 'payerIp')).toMatchObject({ type: 'string or null', required: true })
    expect(member(Payment, 'paymentState')?.values).toEqual(Object.keys(STATES))
    expect(member(CustomerOrder, 'orderId')).toMatchObject({ type: 'string', required: false })
    expect(member(CustomerOrder, 'customer')?.members[0]).toMatchObject({
      name: 'customerId',
      required: true,
    })
    expect(member(CustomerOrder, 'items')).toMatchObject({ type: 'array of object' })
    expect(membersOf({ properties: { id: name(9) } })[0]?.description).toBe('1 to 9 characters.')
  })

  it('shows a request that can be pasted into a shell', () => {
    const of = (path: string) => operations().find((one) => one.path.endsWith(path)) as ApiOperation
    expect(curlExample(document(), of('/capture'))).toBe(
      'curl -X POST "http://localhost:8080/api/apps/$APP_ID/payments/10001/capture" \\\n' +
        '  -H "Authorization: Bearer $API_KEY"',
    )
    expect(requestExample(document(), of('/payments/hosted-page'))).toHaveProperty('returnUrl')
    const quoting = { ...of('/hosted-page'), requestBody: { content: { json: { example: "it's" } } } }
    expect(curlExample(document(), quoting)).toContain(`-d '"it'\\''s"'`)
  })
})

describe('the other pages', () => {
  it('have an anchor for the type of every problem', async () => {
    const { text } = await get('/docs/errors')
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`id="${code}"`)
    const refused = await get('/api/apps/app/customers')
    expect(JSON.parse(refused.text).type).toBe('/docs/errors#unauthorized')
  })

  it('show every state and every test card', async () => {
    const states = await get('/docs/payment-states')
    for (const state of Object.keys(STATES)) expect(states.text).toContain(`<code>${state}</code>`)
    const values = await get('/docs/test-values')
    for (const { number } of TEST_CARDS)
      expect(values.text).toContain(number.replace(/(\d{4})(?=\d)/g, '$1 '))
  })
})
