import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../src/base/errors.ts'
import { allStatements } from '../src/db/database.ts'
import { generateDocs, printStatements } from '../src/generate-docs.ts'
import { VERSION } from '../src/version.ts'
import { type TestContext, testContext } from './support/context.ts'

let files: Readonly<Record<string, string>>
let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
  files = await generateDocs(ctx.db)
})
afterAll(() => ctx?.close())

const generated = (path: string): string => files[path] ?? ''
const document = () => JSON.parse(generated('docs/reference/openapi.json'))

describe('the generated references', () => {
  it('are current: `npm run docs` would not change them', async () => {
    for (const [path, text] of Object.entries(files)) {
      const onDisk = await readFile(path, 'utf8').catch(() => undefined)
      expect(onDisk === text, `${path} is not current: run \`npm run docs\``).toBe(true)
    }
  })

  it.each([
    'docs/reference',
    'packages/sdk/src/generated',
    'packages/python/src/tender_pay/generated',
    'packages/php/src/generated',
  ])('are the only files in %s', async (folder) => {
    const names = (await readdir(folder)).filter((name) => name !== '__pycache__')
    expect(names.filter((name) => !(`${folder}/${name}` in files))).toEqual([])
    expect(names).not.toEqual([])
  })

  it('can print every SQL statement', () => {
    const printed = printStatements()
    const names = [...printed.matchAll(/^-- (\w+\.\w[\w.]*)$/gm)].map(([, name]) => name)
    expect(names).toEqual([...allStatements().keys()].sort())
    expect(names).toContain('payments.create')
  })

  it('are deterministic', async () => {
    expect(await generateDocs(ctx.db)).toEqual(files)
  })
})

describe('the error catalogue', () => {
  it('has no unused code', async () => {
    const names = await readdir('src', { recursive: true })
    const sources = names.filter((name) => /(?<!\.test)\.tsx?$/.test(name) && name !== 'base/errors.ts')
    const texts = await Promise.all(sources.map((name) => readFile(join('src', name), 'utf8')))
    const all = texts.join('\n')
    expect(Object.keys(ERRORS).filter((code) => !all.includes(`'${code}'`))).toEqual([])
  })

  it('is documented with code, status and help', () => {
    for (const [code, { status, help }] of Object.entries(ERRORS))
      expect(generated('docs/reference/errors.md')).toMatch(
        new RegExp(`\\| \`${code}\` \\| ${status} \\| .* \\| ${escaped(help)} \\|`),
      )
  })
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const APP = '/api/apps/{appId}'
const TEAM = '/api/team/resources/{appId}'

/** All public routes, listed again here so that a missing route is noticed. */
const PROMISED = [
  // the specification: payments
  `POST ${APP}/payments/hosted-page`,
  `POST ${APP}/payments`,
  `POST ${APP}/payments/provider-hosted-page`,
  `POST ${APP}/payments/{paymentId}/capture`,
  `POST ${APP}/payments/{paymentId}/cancel`,
  `POST ${APP}/payments/{paymentId}/refund`,
  `POST ${APP}/payments/{paymentId}/unhold`,
  `POST ${APP}/payments/{paymentId}/recheck`,
  `GET ${APP}/payments/referenceId:{referenceId}`,
  `GET ${APP}/payments/{paymentId}`,
  `POST ${APP}/payments/auto-payment`,
  // the specification: customers
  `POST ${APP}/customers`,
  `GET ${APP}/customers/{customerId}`,
  `GET ${APP}/customers`,
  `PATCH ${APP}/customers/{customerId}`,
  `GET ${APP}/customers/{customerId}/payment-methods`,
  `POST ${APP}/customers/{customerId}/payment-methods/import`,
  `DELETE ${APP}/customers/{customerId}/payment-methods/{paymentMethodId}`,
  `DELETE ${APP}/customers/{customerId}/auto-payments/{customerAutomaticProfileId}`,
  `GET ${APP}/customers/{customerId}/panel-link`,
  // the contract
  `GET ${APP}/payments/{paymentId}/attempts`,
  `GET ${APP}/payments/{paymentId}/fraud`,
  `GET ${APP}/events`,
  `GET ${APP}/webhooks`,
  `GET ${APP}/webhooks/{eventId}`,
  `POST ${APP}/webhooks/{eventId}/resend`,
  `POST ${APP}/webhooks/resend-failed`,
  `POST ${APP}/webhooks/test`,
  `POST ${APP}/webhook-signing-secret`,
  `GET ${APP}/webhook-endpoints`,
  `POST ${APP}/webhook-endpoints`,
  `GET ${APP}/webhook-endpoints/{endpointId}`,
  `PATCH ${APP}/webhook-endpoints/{endpointId}`,
  `DELETE ${APP}/webhook-endpoints/{endpointId}`,
  `POST ${APP}/webhook-endpoints/{endpointId}/test`,
  `POST ${APP}/webhook-endpoints/{endpointId}/secret`,
  `GET ${APP}/fraud-policies`,
  `POST ${APP}/fraud-policies`,
  `GET ${APP}/fraud-policies/{fraudPolicyId}`,
  `PATCH ${APP}/fraud-policies/{fraudPolicyId}`,
  `DELETE ${APP}/fraud-policies/{fraudPolicyId}`,
  `GET ${APP}/fraud-policies/{fraudPolicyId}/versions`,
  `GET ${APP}/block-list`,
  `POST ${APP}/block-list`,
  `DELETE ${APP}/block-list/{entryId}`,
  `PATCH ${APP}/fraud-policies/{fraudPolicyId}/rules`,
  `POST ${APP}/fraud-policies/{fraudPolicyId}/simulate`,
  `POST ${APP}/customers/{customerId}/reset-affected-check-policy-time`,
  `GET ${APP}/routing`,
  `PUT ${APP}/routing`,
  `POST ${APP}/routing/explain`,
  `GET ${APP}/payments`,
  `GET ${APP}/payments/summary`,
  `GET ${APP}/payments/overview`,
  `GET ${APP}/payments/dashboard-payments`,
  `GET ${APP}/fraud-policies/dashboard-rejected-payments`,
  `GET ${APP}/payments/{paymentId}/payment-link`,
  `POST ${APP}/payments/{paymentId}/mark-as-refund`,
  `POST ${APP}/payments/{paymentId}/mark-as-dispute`,
  'POST /api/provider-webhook',
  'GET /api/apps/providers',
  `GET ${APP}`,
  `PATCH ${APP}`,
  `GET ${APP}/payment-profiles`,
  `POST ${APP}/payment-profiles`,
  `GET ${APP}/payment-profiles/{paymentProfileId}`,
  `PATCH ${APP}/payment-profiles/{paymentProfileId}`,
  `POST ${APP}/payment-profiles/{paymentProfileId}/check`,
  `POST ${APP}/payment-profiles/{paymentProfileId}/connect`,
  `GET ${APP}/payment-profiles/payment-checkout-methods`,
  'GET /api/licenses/{licenseId}',
  'POST /api/licenses',
  'POST /api/licenses/{licenseId}/owner-invitation',
  'POST /api/licenses/{licenseId}/visits',
  `GET ${APP}/api-keys`,
  `POST ${APP}/api-keys`,
  `POST ${APP}/api-keys/{keyId}/rotate`,
  `DELETE ${APP}/api-keys/{keyId}`,
  // details of a payment and the log of requests
  `GET ${APP}/payments/{paymentId}/state-logs`,
  `GET ${APP}/payments/{paymentId}/last-webhook-item`,
  `GET ${APP}/payments/{paymentId}/provider-log`,
  `GET ${APP}/payments/{paymentId}/provider-raw-info`,
  `GET ${APP}/payments/{paymentId}/provider-link-info`,
  `GET ${APP}/payments/referenceId:{referenceId}/ex`,
  `GET ${APP}/ledger/balances`,
  `GET ${APP}/ledger/fees`,
  `GET ${APP}/ledger/journal`,
  `GET ${APP}/ledger/settlements`,
  `GET ${APP}/ledger/months`,
  `POST ${APP}/ledger/months/{month}/close`,
  `GET ${APP}/api-log`,
  `GET ${APP}/api-log-counts`,
  `GET ${APP}/api-log/{requestId}`,
  // settings that consoles read and change
  `PATCH ${APP}/checkout-page`,
  `DELETE ${APP}/checkout-domain`,
  `POST ${APP}/checkout-domain/check`,
  `GET ${APP}/panel-link`,
  `POST ${APP}/clear-all`,
  `GET ${APP}/payment-providers`,
  `GET ${APP}/payment-profiles/calculate-fee`,
  `GET ${APP}/payment-profiles/{paymentProfileId}/fee`,
  `GET ${APP}/payment-profiles/{paymentProfileId}/bank-credential`,
  `GET ${APP}/payment-profiles/{paymentProfileId}/methods`,
  `GET ${APP}/customers/activity-logs`,
  `GET ${APP}/customers/{customerId}/activity-logs`,
  `GET ${APP}/customers/{customerId}/payment-methods/{paymentMethodId}/balance`,
  `GET ${APP}/customers/{customerId}/provider-raw-info`,
  `POST ${APP}/customers/{customerId}/erase`,
  `DELETE ${APP}/webhook-signing-secret`,
  `DELETE ${APP}/fraud-policies`,
  `GET ${APP}/fraud-policies/payment-method-policy-rule-metadata`,
  'GET /api/licenses/best-license',
  // settlements
  `GET ${APP}/settlement-lines`,
  `GET ${APP}/payouts`,
  `GET ${APP}/payouts/{payoutId}`,
  `GET ${APP}/settlement-exceptions`,
  `POST ${APP}/settlement-exceptions/{id}/close`,
  `POST ${APP}/settlement-exceptions/{id}/accept`,
  ...[`POST ${APP}/imports`, `GET ${APP}/imports`, `GET ${APP}/imports/{importId}`],
  ...[`GET ${APP}/imports/{importId}/problems`, `POST ${APP}/imports/{importId}/cancel`],
  `POST ${APP}/settlement-reports`,
  `GET ${APP}/settlement-reports`,
  `GET ${APP}/settlement-reports/{reportId}`,
  `GET ${APP}/settlement-sources/{paymentProfileId}`,
  `PUT ${APP}/settlement-sources/{paymentProfileId}`,
  `POST ${APP}/settlement-sources/{paymentProfileId}/read`,
  // exports
  `POST ${APP}/exports`,
  `GET ${APP}/exports`,
  `GET ${APP}/exports/{exportId}`,
  `DELETE ${APP}/exports/{exportId}`,
  `GET ${APP}/exports/{exportId}/file`,
  `POST ${APP}/exports/{exportId}/cancel`,
  `POST ${APP}/export-schedules`,
  `GET ${APP}/export-schedules`,
  `PATCH ${APP}/export-schedules/{scheduleId}`,
  `DELETE ${APP}/export-schedules/{scheduleId}`,
  // people
  `GET ${TEAM}/user-roles`,
  `GET ${TEAM}/roles`,
  `POST ${TEAM}/roles/{roleId}/users/email:{email}`,
  `POST ${TEAM}/roles/{roleId}/users/{userId}`,
  `DELETE ${TEAM}/roles/{roleId}/users/{userId}`,
  `POST ${TEAM}/roles/{roleId}/bots`,
  `POST ${TEAM}/bots`,
  'POST /api/team/users/{userId}/bot/reset-api-key',
  'PATCH /api/team/users/{userId}/bot',
  'GET /api/team/users/current',
  'PATCH /api/team/users/current',
  'GET /api/team/users/current/apps',
  'GET /api/team/users/current/apps/{appId}/permissions',
  `POST ${APP}/twofactor/qr-code`,
  `POST ${APP}/twofactor/activate`,
  `POST ${APP}/twofactor/deactivate`,
  'GET /api/settings',
  // for tests, in sandbox apps
  `POST ${APP}/test-helpers/payments/{paymentId}/pay`,
  `POST ${APP}/test-helpers/payments/{paymentId}/dispute`,
  `POST ${APP}/test-helpers/faults`,
  `DELETE ${APP}/test-helpers/faults`,
  `GET ${APP}/test-helpers/ledger`,
  `POST ${APP}/test-helpers/payouts`,
  `POST ${APP}/test-helpers/settlement-faults`,
  `DELETE ${APP}/test-helpers/settlement-faults`,
  `POST ${APP}/test-helpers/clock`,
  // the service itself
  'GET /openapi.json',
  'GET /health/live',
  'GET /health/ready',
  // profiles and going live
  `DELETE ${APP}/payment-profiles/{paymentProfileId}`,
  `GET ${APP}/going-live`,
  // roles of a merchant's own, and refunds that need a second person
  `POST ${TEAM}/roles`,
  `PUT ${TEAM}/roles/{roleId}`,
  `DELETE ${TEAM}/roles/{roleId}`,
  `GET ${APP}/refund-approvals`,
  `POST ${APP}/refund-approvals/{approvalId}/approve`,
  `POST ${APP}/refund-approvals/{approvalId}/refuse`,
  // payment links
  `POST ${APP}/payment-links`,
  `GET ${APP}/payment-links`,
  `GET ${APP}/payment-links/{paymentLinkId}`,
  `GET ${APP}/payment-links/{paymentLinkId}/payments`,
  `DELETE ${APP}/payment-links/{paymentLinkId}`,
  // disputes
  `GET ${APP}/disputes`,
  `GET ${APP}/disputes/{disputeId}`,
  `PUT ${APP}/disputes/{disputeId}/evidence`,
  `PUT ${APP}/disputes/{disputeId}/files/{kind}`,
  `DELETE ${APP}/disputes/{disputeId}/files/{kind}`,
  `POST ${APP}/disputes/{disputeId}/submit`,
  `POST ${APP}/disputes/{disputeId}/accept`,
  // notes
  `GET ${APP}/payments/{paymentId}/notes`,
  `POST ${APP}/payments/{paymentId}/notes`,
  `GET ${APP}/customers/{customerId}/notes`,
  `POST ${APP}/customers/{customerId}/notes`,
  `GET ${APP}/payments/{paymentId}/assignment`,
  `PUT ${APP}/payments/{paymentId}/assignment`,
  `GET ${APP}/customers/{customerId}/assignment`,
  `PUT ${APP}/customers/{customerId}/assignment`,
]

function offered(): string[] {
  const paths: Record<string, object> = document().paths
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

describe('the OpenAPI document', () => {
  it('has every route of the specification and the contract', () => {
    expect(PROMISED.filter((promised) => !offered().includes(promised))).toEqual([])
  })

  it('has no other route', () => {
    expect(offered().filter((route) => !PROMISED.includes(route))).toEqual([])
  })

  it('names the version of the package', async () => {
    expect(document().info.version).toBe(VERSION)
    expect(JSON.parse(await readFile('package.json', 'utf8')).version).toBe(VERSION)
  })

  it('passes the strictest lint rules, including its examples', async () => {
    // The example server is on localhost.
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: { 'no-server-example.com': 'off' },
    })
    const source = generated('docs/reference/openapi.json')
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    expect(problems.map(({ message, location }) => `${location[0]?.pointer} ${message}`)).toEqual([])
  })

  it('describes each call and its errors, with an example of each', () => {
    const { paths, components } = document()
    for (const operation of Object.values<Record<string, Operation>>(paths).flatMap((methods) =>
      Object.values(methods),
    )) {
      expect(operation.summary).toMatch(/^[A-Z].{5,}/)
      for (const [status, answer] of Object.entries(operation.responses).filter(([code]) => code >= '400')) {
        const examples = Object.keys(answer.content['application/problem+json'].examples)
        expect(examples.length).toBeGreaterThan(0)
        for (const code of examples) expect(components.examples[code].value.status).toBe(Number(status))
      }
    }
  })
})

interface Operation {
  readonly summary: string
  readonly responses: Record<string, { content: { 'application/problem+json': { examples: object } } }>
}
