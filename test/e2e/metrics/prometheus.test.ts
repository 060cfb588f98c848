import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../src/net/free-port.ts'
import { PROMETHEUS, type Prometheus, startPrometheus } from '../../support/prometheus.ts'
import { answerWith, type Receiver, settings, startReceiver } from '../../support/receiver.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

// A real Prometheus scrapes the service and evaluates the alerts and the dashboard that come with it.

interface Rule {
  readonly name: string
  readonly query: string
  readonly health: string
  readonly annotations: Readonly<Record<string, string>>
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

let tender: TestService
let shop: Receiver
let prometheus: Prometheus

/** Of Grafana, as it replaces them before it asks Prometheus. */
const withVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')

async function dashboardExpressions(): Promise<[title: string, expression: string][]> {
  const { panels } = JSON.parse(await readFile('deploy/grafana/tender.json', 'utf8')) as { panels: Panel[] }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, withVariables(expr)]),
  )
}

async function alertExpressions(): Promise<[name: string, expression: string][]> {
  const { groups } = await prometheus.get<{ groups: { rules: Rule[] }[] }>('rules')
  return groups.flatMap(({ rules }) => rules.map(({ name, query }): [string, string] => [name, query]))
}

/** Names of metrics in an expression. Texts in quotes are label values. */
const metricsIn = (expression: string): string[] =>
  expression.replace(/"[^"]*"/g, '').match(/\b(?:tender|nodejs|process)_\w+|\bup\b/g) ?? []

/** Names of labels in an expression: those it groups by, and those in braces. */
const labelsIn = (expression: string): string[] => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, */)),
  ...[...expression.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, name = '']) => name),
]

describe.runIf(PROMETHEUS !== undefined)('Prometheus', () => {
  beforeAll(async () => {
    const metricsPort = await freePort('127.0.0.1')
    tender = await startTestService('e2e_prometheus', { config: { metricsPort } })
    shop = await startReceiver()
    await settings(tender.sandbox, { paymentWebhookUrl: shop.url })
    await makeTraffic()
    prometheus = await startPrometheus(
      PROMETHEUS ?? '',
      `127.0.0.1:${metricsPort}`,
      'deploy/prometheus/alerts.yml',
    )
    const isScraped = async () => expect(await prometheus.query('up == 1')).toHaveLength(1)
    await vi.waitFor(isScraped, { timeout: 60_000 })
  })
  afterAll(async () => {
    await prometheus?.stop()
    await tender?.stop()
    await shop?.stop()
  })

  /** So that every metric with labels has a series. */
  async function makeTraffic(): Promise<void> {
    const { sandbox } = tender
    const { log, meter } = tender.service.ctx
    await sandbox.paid()
    await shop.count(3, 60_000)
    shop.answer = answerWith(500)
    await sandbox.paid()
    meter?.answered({ method: 'GET', route: '/test', status: 429, ms: 1, limit: 'key' })
    log.error('test.event')
  }

  it('reads every metric, each with a help text and a type', async () => {
    const targets = async () =>
      (await prometheus.get<{ activeTargets: { health: string; lastError: string }[] }>('targets'))
        .activeTargets
    // On a busy machine a scrape may take too long; the next one counts.
    await expect.poll(targets).toMatchObject([{ health: 'up', lastError: '' }])
    const captured = 'tender_payment_state_changes_total{state="Captured", mode="sandbox"}'
    await expect
      .poll(async () => (await prometheus.query(captured)).map(({ value }) => value[1]))
      .toEqual(['2'])
    const metadata = await prometheus.get<Record<string, { help: string; type: string }[]>>('metadata')
    const names = Object.keys(metadata).filter((name) => name.startsWith('tender_'))
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) {
      const [about] = metadata[name] ?? []
      expect(about?.help).not.toBe('')
      // By convention a counter, and nothing else, ends with _total.
      expect(about?.type === 'counter', name).toBe(name.endsWith('_total'))
    }
  })

  it('loads the alerts, and each has a severity and a summary', async () => {
    const { groups } = await prometheus.get<{ groups: { rules: (Rule & { labels: object })[] }[] }>('rules')
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(10)
    for (const { name, labels, annotations } of rules) {
      expect(labels, name).toMatchObject({ severity: expect.stringMatching(/^(critical|warning|info)$/) })
      expect(annotations.summary, name).toBeTruthy()
    }
    const health = async () => {
      const now = await prometheus.get<{ groups: { rules: Rule[] }[] }>('rules')
      return new Set(now.groups.flatMap((group) => group.rules.map((rule) => rule.health)))
    }
    await expect.poll(health).toEqual(new Set(['ok']))
  })

  it('evaluates every expression of alerts and dashboard, with metrics and labels that exist', async () => {
    const metadata = await prometheus.get<Record<string, unknown>>('metadata')
    const known = new Set([...Object.keys(metadata), 'up'])
    const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''))
    const labels = new Set(await prometheus.get<string[]>('labels'))
    const all = [...(await alertExpressions()), ...(await dashboardExpressions())]
    expect(all.length).toBeGreaterThan(40)
    for (const [where, expression] of all) {
      await prometheus.query(expression).catch((error: Error) => {
        throw new Error(`${where}: ${error.message}`)
      })
      const metrics = metricsIn(expression)
      expect(metrics, where).not.toEqual([])
      expect(
        metrics.filter((name) => !isKnown(name)),
        where,
      ).toEqual([])
      expect(
        labelsIn(expression).filter((name) => !labels.has(name)),
        where,
      ).toEqual([])
    }
  })

  it('has values for the panels that need no trouble to show some', async () => {
    const panels = new Map(await dashboardExpressions())
    for (const title of [
      'Requests by status',
      'Calls to providers by outcome',
      'Connections',
      'Memory',
      'CPU',
    ])
      await expect.poll(() => prometheus.query(panels.get(title) ?? ''), { message: title }).not.toEqual([])
  })

  it('fires an alert when an error is logged for the first time', async () => {
    const firing = async () => {
      const { alerts } = await prometheus.get<{
        alerts: { labels: Record<string, string>; state: string }[]
      }>('alerts')
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels)
    }
    await expect
      .poll(firing)
      .toContainEqual({ alertname: 'TenderErrorsLogged', event: 'test.event', severity: 'warning' })
  })
})
