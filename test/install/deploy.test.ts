import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../src/config/settings.ts'
import { VERSION } from '../../src/version.ts'
import type { Answer as Part } from '../support/tender.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const documents = (path: string) =>
  read(path)
    .split(/^---$/m)
    .map((text) => parseYaml(text) as Part)

const unknown = (names: Iterable<string>) => [...names].filter((name) => !Object.hasOwn(SETTINGS, name))

describe('compose.yaml', () => {
  const [{ services, volumes }] = documents('compose.yaml')

  it('sets only what the service knows, and all that production needs', () => {
    const names = Object.keys(services.tender.environment ?? {})
    expect(unknown(names)).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['SECRET_KEY', 'DATABASE_URL', 'PUBLIC_URL']))
  })

  it('runs the service read-only, and keeps the database in a volume', () => {
    expect(services.tender).toMatchObject({ read_only: true, init: true, cap_drop: ['ALL'] })
    expect(Object.keys(volumes ?? {})).toEqual(['postgres'])
  })
})

describe('the unit of systemd', () => {
  const lines = read('deploy/systemd/tender.service').split('\n')
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))

  it('sets only what the service knows, and keeps data in its state directory', () => {
    const settings = Object.fromEntries(
      values('Environment').map((text) => text.split('=') as [string, string]),
    )
    expect(unknown(Object.keys(settings))).toEqual([])
    expect(settings).toEqual({ NODE_ENV: 'production', DATA_DIR: `/var/lib/${values('StateDirectory')}` })
  })

  it('starts the program of the package', () => {
    const { name, bin } = JSON.parse(read('packages/service/package.json'))
    expect(values('ExecStart')).toEqual([
      `/usr/bin/node --max-semi-space-size=16 /opt/tender/node_modules/${name}/${bin.tender} start`,
    ])
  })

  it('allows nothing that it does not need', () => {
    for (const name of [
      'NoNewPrivileges',
      'ProtectHome',
      'PrivateTmp',
      'PrivateDevices',
      'RestrictNamespaces',
    ])
      expect([name, ...values(name)]).toEqual([name, 'yes'])
    expect(values('ProtectSystem')).toEqual(['strict'])
    expect(values('CapabilityBoundingSet')).toEqual([''])
  })
})

describe('the manifests of Kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const [kustomization] = documents(join(folder, 'kustomization.yaml'))
  const files: string[] = kustomization.resources
  const all: Part[] = files.flatMap((name) => documents(join(folder, name)))
  const ofKind = (kind: string) => all.filter((part) => part.kind === kind)
  const podOf = (deployment: Part) => deployment.spec.template.spec
  const containerOf = (deployment: Part) => podOf(deployment).containers[0]

  it('are all listed', () => {
    expect([...files, 'kustomization.yaml'].map(String).sort()).toEqual(readdirSync(folder).sort())
    for (const name of files) expect(existsSync(join(folder, name))).toBe(true)
  })

  it('set only what the service knows, and all that production needs', () => {
    const config = ofKind('ConfigMap').flatMap(({ data }) => Object.keys(data ?? {}))
    const secret = ofKind('Secret').flatMap(({ stringData }) => Object.keys(stringData ?? {}))
    const own = ofKind('Deployment').flatMap((one) => containerOf(one).env.map(({ name }: Part) => name))
    expect(unknown([...config, ...secret, ...own])).toEqual([])
    expect([...config, ...secret]).toEqual(
      expect.arrayContaining(['NODE_ENV', 'SECRET_KEY', 'DATABASE_URL', 'PUBLIC_URL']),
    )
    const secrets = Object.entries(SETTINGS).flatMap(([name, setting]) =>
      'isSecret' in setting ? [name] : [],
    )
    expect(config.filter((name) => secrets.includes(name))).toEqual([])
  })

  it('trust no proxies before the operator names them', () => {
    const [{ data }] = ofKind('ConfigMap') as [Part]
    expect(data.TRUSTED_PROXIES).toMatch(/^<.+>$/)
    expect(SETTINGS.TRUSTED_PROXIES.parse(data.TRUSTED_PROXIES)).toBeUndefined()
  })

  it('let only the namespace of Prometheus reach the port of metrics', () => {
    const [{ spec }] = ofKind('NetworkPolicy') as [Part]
    const port = Number(/^METRICS_PORT=(\d+)$/m.exec(read('docs/guides/monitoring.md'))?.[1])
    for (const { spec: deployment } of ofKind('Deployment'))
      expect(deployment.template.metadata.labels).toMatchObject(spec.podSelector.matchLabels)
    expect(spec.policyTypes).toEqual(['Ingress'])
    const open = spec.ingress.filter(({ from }: Part) => !from).flatMap(({ ports }: Part) => ports)
    expect(open.map((one: Part) => one.port)).toEqual(['http'])
    const limited = spec.ingress.filter(({ ports }: Part) => ports.some((one: Part) => one.port === port))
    expect(limited).toHaveLength(1)
    expect(limited[0].from).toEqual([{ namespaceSelector: { matchLabels: expect.any(Object) } }])
  })

  it('run web and worker of this version, without rights, each with probes and a disruption budget', () => {
    const deployments = ofKind('Deployment')
    expect(deployments.map((one) => String(containerOf(one).env[0].value))).toEqual(['web', 'worker'])
    for (const one of deployments) {
      const container = containerOf(one)
      expect(container.image).toBe(`tender:${VERSION}`)
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
      expect(podOf(one).securityContext).toMatchObject({ runAsNonRoot: true })
      expect(container.readinessProbe.httpGet.path).toBe('/health/ready')
      expect(container.livenessProbe.httpGet.path).toBe('/health/live')
      const selector = one.spec.selector
      expect(one.spec.template.metadata.labels).toEqual(selector.matchLabels)
      expect(ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector)).toContainEqual(selector)
    }
  })
})
