import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { startService } from '../app.ts'
import { auditEntries } from '../audit/audit.ts'
import { createVault, Secret } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { sql } from '../db/database.ts'
import { packHints, unpackHints } from '../inbound/hints.ts'
import { isUnsubscribed, readUnsubscription, unsubscribe, unsubscribeUrl } from '../mail/opt-outs.ts'
import { loadApp } from '../merchants/directory.ts'
import { licenseKey } from '../merchants/keys/commands.ts'
import { reseal } from './reseal.ts'
import { SEALED_COLUMNS, type SealedColumn, selectSealed, updateSealed } from './store.ts'

const OLD = 'the old secret key of this test with enough characters'
const NEW = 'the new secret key of this test with enough characters'
const TO = 'payer@example.com'

let before: TestContext
let shop: Awaited<ReturnType<typeof testLicense>>
let oldKey: string
let oldLink: string
let statements = 0
const query = <Row>(text: string, values: readonly unknown[] = []) =>
  before.db.query(sql<Row>(`test.reseal_${statements++}`, text), values)

beforeAll(async () => {
  before = await testContext({ config: { secretKeys: [new Secret(OLD)] } })
  shop = await testLicense(before)
  const { appId } = shop.sandbox
  oldKey = await licenseKey(before, { appId, isSandbox: true })
  const { db, vault } = before
  oldLink = await unsubscribeUrl(before, appId, TO)
  const found = await readUnsubscription(before, oldLink.split('/').at(-1) ?? '')
  if (found) await unsubscribe(before, found)
  const insert = sql<never>(
    'test.idempotency',
    `insert into idempotency_keys (app_id, idempotency_key, fingerprint, status, headers, body, created_time,
       locked_until)
     values ($1, 'sealed', 'x', 201, '{"x-sealed":"true"}', $2, now(), now()),
       ($1, 'plain', 'x', 201, '{}', 'a plain body', now(), now())`,
  )
  await db.query(insert, [appId, Buffer.from(vault.seal('a sealed body')).toString('base64')])
  await query(
    `insert into provider_movements (app_id, attempt_key, movement, received_time, sealed)
     select $1, 'a' || n, 'm', now(), $2 from generate_series(1, 1500) n`,
    [appId, vault.seal('a movement')],
  )
  await query(
    `insert into provider_notifications (app_id, profile_id, digest, received_time, status, hints)
     values ($1, 1, 'd', now(), 'done', $2)`,
    [appId, JSON.stringify(packHints(vault, [{ key: 'one', movement: MOVEMENT }, { key: 'two' }] as never))],
  )
})
afterAll(() => before?.close())

const MOVEMENT = { name: 'm', token: 'tok_1' }
const environment = (keys: string) => ({
  DATABASE_URL: before.databaseUrl,
  SECRET_KEY: keys,
  OPERATOR_TOKEN: 'x',
  PUBLIC_URL: 'https://pay.example',
})

/** The service after a start with this key only. */
const withKey = (key: string): Promise<TestContext> =>
  testContext({ sharing: before, config: { secretKeys: [new Secret(key)] } })

it('every bytea column of the schema is listed as sealed, or is known not to be sealed', async () => {
  const rows = await query<{ name: string }>(
    `select case table_schema when 'public' then '' else table_schema || '.' end
       || table_name || '.' || column_name as name
     from information_schema.columns
     where data_type = 'bytea' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  const others = rows.map(({ name }) => name).filter((name) => !sealed.includes(name))
  expect(others.filter((name) => !/(?:hash|digest|fingerprint)$/.test(name)).sort()).toEqual([
    // Cleared or empty after the notification is verified, an image, a credential of a browser, and rows of
    // tables that are not sealed themselves.
    'apps.logo',
    'export_parts.content',
    'log_batches.lines',
    'passkeys.public_key',
    'provider_notifications.body',
  ])
})

describe('with another SECRET_KEY than the data was sealed with', () => {
  const start = (key: string) =>
    startService({
      config: { ...before.config, secretKeys: [new Secret(key)] },
      databaseUrl: before.databaseUrl,
    })

  it('the service does not start, and says what to do', async () => {
    const error = await start('a key of this test that has sealed nothing').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toMatch(/SECRET_KEY does not open what is stored.*tender reseal/)
  })

  it('tender reseal changes nothing where no keys of hashes are stored yet', async () => {
    await query('create table kept as select * from installation_keys')
    await query('delete from installation_keys')
    await expect(reseal(environment(NEW), () => {})).rejects.toThrow(
      'SECRET_KEY does not open what is stored',
    )
    expect(await query('select purpose from installation_keys')).toEqual([])
    await query('insert into installation_keys select * from kept')
    await query('drop table kept')
  })
})

describe('tender reseal', () => {
  it('says what to do about a database that no service of this version has used', async () => {
    const empty = before.databaseUrl.replace(/\/test_\w+/, '/postgres')
    const environmentOfEmpty = { ...environment(NEW), DATABASE_URL: empty }
    const error = await reseal(environmentOfEmpty, () => {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toMatch(/no tables of this version.*start the service once/)
  })

  it('names what it cannot open, changes nothing of it, and can be run again', async () => {
    await expect(reseal(environment(NEW), () => {})).rejects.toThrow(/\d+ values were sealed by a key that/)
    const stillOld = await loadApp(await withKey(OLD), shop.sandbox.appId)
    expect(createVault([OLD], before.random).open(stillOld?.webhookSecret ?? Buffer.alloc(0))).not.toBe('')
  })

  it('stays complete when it is interrupted: what is done is sealed anew, the rest as before', async () => {
    const stopAt = (line: string) => {
      if (line.startsWith('payment_profiles.')) throw new Error('interrupted')
    }
    await expect(reseal(environment(`${NEW},${OLD}`), stopAt)).rejects.toThrow('interrupted')
    const { keyId } = createVault([OLD], before.random)
    const left = `select count(*)::int as count from provider_movements
      where substring(sealed from 2 for 4) = $1::bytea`
    expect(await query(left, [keyId])).toEqual([{ count: 1500 }])
    const app = await loadApp(await withKey(NEW), shop.sandbox.appId)
    expect(createVault([NEW], before.random).open(app?.webhookSecret ?? Buffer.alloc(0))).not.toBe('')
    // Keys of licences come last.
    const live = `select count(*)::int as count from api_keys where kind = 'license' and revoked_time is null`
    expect(await query(live)).toEqual([{ count: 1 }])
  })

  it('keeps what the service wrote between its reading and its writing', async () => {
    const column = SEALED_COLUMNS.find(({ table }) => table === 'provider_movements') as SealedColumn
    const { keyId } = createVault([NEW], before.random)
    const rows = await selectSealed(before.db, column, { first: 0, end: 1000, keyId })
    expect(rows).toHaveLength(1500)
    const written = before.vault.seal('written meanwhile')
    await query(`update provider_movements set sealed = $1 where attempt_key = 'a7'`, [written])
    const changed = rows.map((row) => ({ ...row, fresh: before.vault.seal('a movement') }))
    expect(await updateSealed(before.db, column, changed)).toBe(1499)
    const text = `select sealed from provider_movements where attempt_key = 'a7'`
    const [row] = await query<{ sealed: Buffer }>(text)
    expect(row?.sealed).toEqual(written)
  })

  it('seals everything by the first key, with lines about the progress', async () => {
    const lines: string[] = []
    const result = await reseal(environment(`${NEW},${OLD}`), (line) => lines.push(line))
    expect(lines).toHaveLength(SEALED_COLUMNS.length)
    expect(lines).toContain('provider_movements.sealed: 1500 sealed anew')
    expect(lines).toContain('idempotency_keys.body: 1 sealed anew')
    expect(result[0]).toMatch(/^15\d\d values are sealed anew, 1 keys of licences are revoked\.$/)
    const again = await reseal(environment(NEW), () => {})
    expect(again[0]).toBe('0 values are sealed anew, 0 keys of licences are revoked.')

    const { keyId } = createVault([OLD], before.random)
    for (const { table, column, format } of SEALED_COLUMNS) {
      if (format !== 'bytes') continue
      const text = `select 1 as n from ${table} where substring(${column} from 2 for 4) = $1::bytea`
      expect([table, column, await query(text, [keyId])]).toEqual([table, column, []])
    }
    const vault = createVault([NEW], before.random)
    const bodies = await query<{ body: string }>('select body from idempotency_keys order by idempotency_key')
    expect(bodies[0]?.body).toBe('a plain body')
    expect(vault.open(Buffer.from(bodies[1]?.body ?? '', 'base64'))).toBe('a sealed body')
    const [row] = await query<{ hints: never }>('select hints from provider_notifications')
    expect(unpackHints(vault, row?.hints ?? [])).toEqual([{ key: 'one', movement: MOVEMENT }, { key: 'two' }])
  })

  it('revokes keys that were derived from the old key, and records it', async () => {
    const after = await withKey(NEW)
    const { appId } = shop.sandbox
    const fresh = await licenseKey(after, { appId, isSandbox: true })
    expect(fresh).not.toBe(oldKey)
    const live = await query<{ hint: string }>(
      `select hint from api_keys where app_id = $1 and kind = 'license' and revoked_time is null`,
      [appId],
    )
    expect(live.map(({ hint }) => hint)).toEqual([fresh.slice(-4)])
    const entries = await auditEntries(after, shop.license.licenseId, { action: 'key.revoked', limit: 5 })
    expect(entries).toMatchObject([{ actor: { kind: 'operator' }, after: { hint: oldKey.slice(-4) } }])
  })

  it('keeps unsubscriptions, and links in e-mails that were sent', async () => {
    const after = await withKey(NEW)
    expect(await isUnsubscribed(after, shop.sandbox.appId, TO)).toBe(true)
    expect(await isUnsubscribed(after, shop.sandbox.appId, 'other@example.com')).toBe(false)
    expect(await readUnsubscription(after, oldLink.split('/').at(-1) ?? '')).toBeDefined()
    expect(await unsubscribeUrl(after, shop.sandbox.appId, TO)).toBe(oldLink)
  })
})
