import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { build } from '../../scripts/build.js'
import { freePort } from '../../src/net/free-port.ts'
import { createDatabase } from '../support/database.ts'
import { PROCESS_TOKEN, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type TestApp, testMerchant } from '../support/tender.ts'

/** The replica is an empty database without replication, so a read from it returns nothing. */
const running: ServiceProcess[] = []
let databaseUrl: string

beforeAll(async () => {
  await build()
  databaseUrl = await createDatabase(inject('databaseUrl'), 'replica_primary', 'template')
})
afterAll(async () => {
  for (const service of running) await service.kill()
})

async function merchantWith(replicaUrl: string): Promise<TestApp> {
  const env = { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: replicaUrl }
  const service = startProcess({ port: await freePort('127.0.0.1'), env })
  running.push(service)
  await service.ready()
  return (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
}

it('reads lists from the replica, and objects by id or reference from the primary', async () => {
  const app = await merchantWith(await createDatabase(inject('databaseUrl'), 'replica_other', 'template'))
  const { paymentId, referenceId } = await app.paid({ customerOrder: { customer: { customerId: 'dana' } } })
  for (const list of ['customers', 'events', 'webhooks']) {
    const { body } = await app.call('GET', list)
    expect([list, Array.isArray(body) ? body : body.items]).toEqual([list, []])
  }
  expect((await app.read(paymentId)).paymentState).toBe('Captured')
  expect((await app.call('GET', `payments/referenceId:${referenceId}`)).body.paymentId).toBe(paymentId)
  expect((await app.call('GET', 'customers/dana')).body.customerId).toBe('dana')
})

it('reads lists from the primary while the replica is unavailable', async () => {
  const app = await merchantWith(`postgres://tender@127.0.0.1:${await freePort('127.0.0.1')}/tender`)
  await app.create({ customerOrder: { customer: { customerId: 'eve' } } })
  const { body } = await app.call('GET', 'customers')
  expect(body.map((customer: { customerId: string }) => customer.customerId)).toEqual(['eve'])
})
