import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { assert } from '../base/assert.ts'
import { after } from '../base/clock.ts'
import { ApiError, invalid, notFound, wrongField } from '../base/errors.ts'
import { newLeaseToken, randomText } from '../base/ids.ts'
import { errorData } from '../base/log.ts'
import { mistaken } from '../base/mistakes.ts'
import type { Context } from '../context.ts'
import type { Separator } from '../http/content/csv.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { sealingKeyIn } from '../moving/commands.ts'
import type { PaymentFilter } from '../payments/search/filter.ts'
import type { Permission } from '../people/access/roles.ts'
import type { Export, ExportChoice, Requester } from './export.ts'
import { columnsOf, EXPORT_KINDS, type ExportKind, usualColumns } from './kinds.ts'
import { EXPORTS } from './limits.ts'
import type { Span } from './periods.ts'
import { makeParts } from './run.ts'
import {
  dropParts,
  endExport,
  exportRows,
  insertExport,
  removeExport,
  selectPart,
  usageOf,
} from './store/exports.ts'
import { saveChoice, selectChoice } from './store/schedules.ts'

/** What an export or a schedule is to have, beside its period. */
export interface Wanted {
  readonly kind: ExportKind
  /** In this order; the usual ones by default. */
  readonly columns?: readonly string[] | undefined
  /** Of payments. */
  readonly filter?: PaymentFilter | undefined
  readonly separator?: Separator | undefined
  readonly hasMark?: boolean | undefined
}

/** Jobs have no actor and may do everything. */
const may = ({ actor }: Context, permission: Permission): boolean =>
  actor === undefined || actor.may?.(permission) === true

export const mayExport = (ctx: Context, kind: ExportKind): boolean => may(ctx, EXPORT_KINDS[kind].permission)

export function checkMayExport(ctx: Context, kind: ExportKind): void {
  if (!mayExport(ctx, kind)) throw new ApiError('forbidden', `You may not export ${kind}.`)
}

/** The person or key that made it, or one who may change the settings of the app. */
export function checkMayChange(ctx: Context, { id }: Requester): void {
  if (ctx.actor?.id !== id && !may(ctx, 'AppSettingWrite'))
    throw new ApiError('forbidden', 'Only who made it may change it, or a member who may change settings.')
}

export function requesterOf({ actor }: Context): Requester {
  assert(actor !== undefined, 'a person or a key asks for an export')
  return { kind: actor.kind, id: actor.id, name: actor.name }
}

/** The wanted file with all defaults. Throws 400 for a column that the kind does not have. */
export function readWanted({ kind, columns, filter = {}, separator = ',', hasMark = true }: Wanted) {
  const chosen = columns ?? usualColumns(kind)
  const known = columnsOf(kind)
  const wrong = chosen.find((name, place) => !known.includes(name) || chosen.indexOf(name) < place)
  if (wrong !== undefined)
    throw invalid([wrongField('columns', `must not have "${wrong.slice(0, 50)}" here`)])
  if (chosen.length === 0) throw invalid([wrongField('columns', 'must have at least one column')])
  if (kind === 'everything') return { columns: known, filter: {}, separator: ',' as const, hasMark: false }
  if (kind !== 'payments' && Object.keys(filter).length > 0)
    throw invalid([wrongField('query', 'is for payments only')])
  return { columns: chosen, filter, separator, hasMark }
}

interface NewExport extends Wanted {
  readonly span: Span
  /** Of the days in the filter; the app's by default. */
  readonly timeZone?: string | undefined
  /** Of everything: 32 bytes in hexadecimal. */
  readonly sealingKey?: string | undefined
}

/**
 * Makes an export. A small one is done when this returns; the job goes on with a larger one. Throws 422 while
 * the app has as many exports as it may have.
 */
export async function createExport(ctx: Context, app: App, wanted: NewExport): Promise<Export> {
  const { kind, span, timeZone = app.timeZone } = wanted
  checkMayExport(ctx, kind)
  const file = readWanted(wanted)
  const now = ctx.clock.now()
  const spec = {
    ...file,
    from: span.from?.toISOString() ?? null,
    to: span.to.toISOString(),
    timeZone,
    now: appNow(ctx, app).toISOString(),
    ...(kind === 'everything' && { sealingKey: sealedKey(ctx, wanted.sealingKey) }),
  }
  const { appId } = app
  const exportId = newExportId(ctx)
  const leaseToken = newLeaseToken(ctx.random)
  const lease = { createdTime: now, dueTime: after(now, EXPORTS.leaseMs), leaseToken }
  const made = await ctx.db.transaction(async (tx) => {
    await checkSpace(ctx, app)
    await exportRows.trim(tx, appId)
    const requestedBy = requesterOf(ctx)
    const row = await insertExport(tx, { appId, exportId, kind, spec, requestedBy, ...lease })
    await auditApp(ctx, tx, app, {
      action: 'export.created',
      target: `export:${exportId}`,
      // Names of filters alone: the log is never changed, and a text may be an e-mail address.
      after: { kind, from: spec.from, to: spec.to, filters: Object.keys(file.filter).join(' ') },
    })
    const { separator, hasMark, columns } = file
    if (requestedBy.kind === 'person')
      await saveChoice(tx, { appId, personId: requestedBy.id, kind }, { separator, hasMark, columns })
    return row
  })
  if (!made) throw new Error('an export without a schedule is never a repeated one')
  return makeAtOnce(ctx, app, made)
}

/** Tokens leave only under a key of the merchant. Throws 400 without one. */
function sealedKey({ vault }: Context, text: string | undefined): string {
  const key = text === undefined || text === '' ? undefined : sealingKeyIn(text)
  if (!key) throw invalid([mistaken('sealingKey', 'required')])
  return Buffer.from(vault.seal(Buffer.from(key).toString('hex'))).toString('base64')
}

export const newExportId = ({ random }: Pick<Context, 'random'>): string => `exp_${randomText(random, 20)}`

async function checkSpace({ db }: Context, { appId }: App): Promise<void> {
  const { unfinished, storedBytes } = await usageOf(db, appId)
  if (unfinished >= EXPORTS.unfinished)
    throw new ApiError('not_possible', `The app has ${unfinished} exports in progress. Wait for them.`)
  if (storedBytes >= EXPORTS.appBytes)
    throw new ApiError('not_possible', 'The files of the app fill their space. Remove exports first.')
}

/** The first pages within the request. The job does the rest, and everything after a failure. */
async function makeAtOnce(ctx: Context, app: App, made: Export): Promise<Export> {
  try {
    const ended = await makeParts(ctx, app, made, { pages: EXPORTS.pagesAtOnce, isAtOnce: true })
    if (!ended) await exportRows.release(ctx.db, made, ctx.clock.now())
    if (!ended) ctx.signals.wake(EXPORTING)
  } catch (error) {
    ctx.log.warn('export.not_begun', { appId: app.appId, ...errorData(error) })
    await exportRows.retry(ctx.db, made, ctx.clock.now())
  }
  return getExport(ctx, app, made.exportId)
}

/** Name and topic of the job. */
export const EXPORTING = 'exports'

/** What the person chose last for this kind. */
export const lastChoice = (
  { db }: Context,
  { appId }: App,
  choice: { readonly personId: string; readonly kind: ExportKind },
): Promise<ExportChoice | undefined> => selectChoice(db, { appId, ...choice })

/** Exports that the actor may see, newest first. */
export async function exportsOf(ctx: Context, { appId }: App): Promise<Export[]> {
  return (await exportRows.list(ctx.db, appId)).filter(({ kind }) => mayExport(ctx, kind))
}

/** Throws 404 for one of another app, and for a kind that the actor may not see. */
export async function getExport(ctx: Context, { appId }: App, exportId: string): Promise<Export> {
  const found = await exportRows.find(ctx.db, appId, exportId)
  if (!found || !mayExport(ctx, found.kind)) throw notFound('The export')
  return found
}

/** Ends an export that waits or runs. One that has ended stays as it is. */
export async function cancelExport(ctx: Context, app: App, exportId: string): Promise<Export> {
  const found = await getExport(ctx, app, exportId)
  checkMayChange(ctx, found.requestedBy)
  await ctx.db.transaction(async (tx) => {
    const ended = await endExport(tx, found, { state: 'cancelled', now: ctx.clock.now() })
    if (!ended) return
    await dropParts(tx, ended)
    await auditApp(ctx, tx, app, { action: 'export.cancelled', target: `export:${exportId}` })
  })
  return getExport(ctx, app, exportId)
}

/** Removes an export with its file. */
export async function deleteExport(ctx: Context, app: App, exportId: string): Promise<void> {
  const found = await getExport(ctx, app, exportId)
  checkMayChange(ctx, found.requestedBy)
  await ctx.db.transaction(async (tx) => {
    await removeExport(tx, app.appId, exportId)
    await auditApp(ctx, tx, app, { action: 'export.removed', target: `export:${exportId}` })
  })
}

export interface ExportFile {
  readonly name: string
  readonly content: Readable
}

/** The file of an export that is done. The download is recorded before the first byte is sent. */
export async function openFile(ctx: Context, app: App, exportId: string): Promise<ExportFile> {
  const found = await getExport(ctx, app, exportId)
  if (found.state !== 'done') throw new ApiError('not_possible', `The export is ${found.state}.`)
  await auditApp(ctx, ctx.db, app, {
    action: 'export.downloaded',
    target: `export:${exportId}`,
    after: { kind: found.kind, rows: found.rowCount },
  })
  const day = found.createdTime.toISOString().slice(0, 10)
  return { name: `${found.kind}-${day}.csv`, content: Readable.from(partsOf(ctx, found)) }
}

const uncompressed = promisify(gunzip)

/** One part in memory at a time. */
async function* partsOf({ db }: Context, found: Export): AsyncGenerator<Buffer> {
  for (let part = 1; part <= found.partCount; part++) {
    const content = await selectPart(db, found, part)
    if (!content) throw new Error('the export was removed while its file was read')
    const text = await uncompressed(content)
    if (text.length > 0) yield text
  }
}
