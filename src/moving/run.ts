import { after } from '../base/clock.ts'
import { openJson } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import type { ImportedCustomer, ImportedMethod, ImportedPayment, ImportRow } from './format.ts'
import type { ChunkResult, Import, LineResult, Postponed } from './import.ts'
import { IMPORTS } from './limits.ts'
import { doMethods } from './methods.ts'
import { addProblems, finishChunk, importRows, selectChunk } from './store/imports.ts'
import {
  addCustomerIds,
  addCustomers,
  addPayments,
  factsOf,
  fillCustomers,
  type KnownCustomer,
  knownCustomers,
  knownPayments,
} from './store/rows.ts'

/**
 * Does so many chunks of an import. Each ends in one transaction with its counts, so that another worker can
 * go on at any time. True: more is to do with this lease. Decision 0183.
 */
export async function doChunks(ctx: Context, app: App, claimed: Import, chunks: number): Promise<boolean> {
  let current = claimed
  for (let count = 0; count < chunks; count++) {
    const next = await doChunk(ctx, app, current)
    if (!next || next.state === 'done') return false
    current = next
  }
  return true
}

async function doChunk(ctx: Context, app: App, current: Import): Promise<Import | undefined> {
  const sealed = await selectChunk(ctx.db, current)
  const { rows } = sealed ? openJson<{ rows: ImportRow[] }>(ctx.vault, sealed) : { rows: [] }
  const done = await doRows(ctx, app, current, rows)
  const now = ctx.clock.now()
  if ('until' in done) {
    await importRows.retry(ctx.db, current, now, done.until)
    return undefined
  }
  const wrong = [...done.results].flatMap(([line, problem]) =>
    typeof problem === 'string' ? [] : [{ line, problem }],
  )
  const added = [...done.results.values()].filter((result) => result === 'added').length
  return ctx.db.transaction(async (tx) => {
    const counts = { done: rows.length, added, wrong: wrong.length }
    const until = after(now, IMPORTS.leaseMs)
    const next = await finishChunk(tx, current, counts, { now, until })
    if (!next) return undefined
    if (!current.isDryRun) await done.write?.(tx)
    await addProblems(tx, current, wrong)
    return next
  })
}

/** A chunk has lines of one kind. */
function doRows(
  ctx: Context,
  app: App,
  current: Import,
  rows: readonly ImportRow[],
): Promise<ChunkResult | Postponed> {
  const customers = rows.filter((row): row is ImportedCustomer => row.kind === 'customer')
  const methods = rows.filter((row): row is ImportedMethod => row.kind === 'payment-method')
  if (customers.length > 0) return doCustomers(ctx, app, customers)
  if (methods.length > 0) return doMethods(ctx, app, current, methods)
  return doPayments(
    ctx,
    app,
    rows.filter((row): row is ImportedPayment => row.kind === 'payment'),
  )
}

async function doCustomers(ctx: Context, app: App, rows: readonly ImportedCustomer[]): Promise<ChunkResult> {
  const found = await knownCustomers(
    ctx.db,
    app.appId,
    rows.map(({ customerId }) => customerId),
  )
  const known = new Map(found.map((customer) => [customer.customerId, customer]))
  const results = new Map(rows.map((row) => [row.line, compared(row, known.get(row.customerId))]))
  const added = rows.filter(({ line }) => results.get(line) === 'added')
  return {
    results,
    async write(tx) {
      await addCustomers(
        tx,
        app.appId,
        added.filter(({ customerId }) => !known.has(customerId)),
        appNow(ctx, app),
      )
      await fillCustomers(
        tx,
        app.appId,
        added.filter(({ customerId }) => known.has(customerId)),
      )
    },
  }
}

const TEXTS = ['firstName', 'lastName', 'email', 'mobileNumber'] as const

/** What exists is never changed; what is not known of a customer is added. */
function compared(row: ImportedCustomer, known: KnownCustomer | undefined): LineResult {
  if (!known) return 'added'
  const field = TEXTS.find((name) => row[name] !== null && known[name] !== null && row[name] !== known[name])
  if (field) return { code: 'contradicts', field }
  if (row.isBlocked !== null && row.isBlocked !== known.isBlocked)
    return { code: 'contradicts', field: 'isBlocked' }
  if (row.extras && known.extras && JSON.stringify(row.extras) !== JSON.stringify(known.extras))
    return { code: 'contradicts', field: 'extras' }
  const isNews = [...TEXTS, 'extras' as const].some((name) => row[name] !== null && known[name] === null)
  return isNews ? 'added' : 'known'
}

async function doPayments(ctx: Context, app: App, rows: readonly ImportedPayment[]): Promise<ChunkResult> {
  const references = rows.map(({ referenceId }) => referenceId)
  const found = await knownPayments(ctx.db, app.appId, references)
  const known = new Map(found.map(({ referenceId, facts }) => [referenceId, facts]))
  const results = new Map<number, LineResult>()
  for (const row of rows) {
    const facts = known.get(row.referenceId)
    const isOther = typeof facts === 'string' && facts !== factsOf(row)
    if (isOther) results.set(row.line, { code: 'contradicts', field: 'referenceId' })
    else results.set(row.line, facts === undefined ? 'added' : 'known')
  }
  const added = rows.filter(({ line }) => results.get(line) === 'added')
  return {
    results,
    async write(tx) {
      await addCustomerIds(tx, app.appId, added, appNow(ctx, app))
      await addPayments(tx, app.appId, added)
    },
  }
}
