import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { build } from '../../../scripts/build.js'
import { createDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { type ServiceProcess, startProcess } from '../../support/service-process.ts'

const running: ServiceProcess[] = []
beforeAll(() => build())
afterAll(async () => {
  for (const service of running) await service.kill()
})

const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

/** Every import of OpenTelemetry is written to the output and fails, as if it were not installed. */
const ABSENT = asModule(`import { register } from 'node:module'
register(${JSON.stringify(
  asModule(`import { writeSync } from 'node:fs'
export async function resolve(name, context, next) {
  if (!name.startsWith('@opentelemetry/')) return await next(name, context)
  writeSync(2, 'loads ' + name + '\\n')
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}`),
)})`)

async function start(name: string, env: Record<string, string>): Promise<ServiceProcess> {
  const DATABASE_URL = await createDatabase(inject('databaseUrl'), name, 'template')
  const port = await freePort()
  const service = startProcess({ port, env: { DATABASE_URL, ...env }, nodeArgs: ['--import', ABSENT] })
  running.push(service)
  await service.ready()
  return service
}

it('loads nothing of OpenTelemetry without an address', async () => {
  const service = await start('traces_off', { OTEL_TRACES_SAMPLER: 'always_on' })
  expect(service.output()).not.toContain('@opentelemetry')
})

it('says that OpenTelemetry is not installed, and works without traces', async () => {
  const service = await start('traces_absent', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('tracing.off'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('OpenTelemetry cannot be loaded: there will be no traces.')
  expect(service.output()).toContain('loads @opentelemetry/sdk-trace\n')
})
