import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { csvLine } from '../http/content/csv.ts'
import type { App } from '../merchants/app.ts'
import type { Export } from './export.ts'
import { type CellPage, EXPORT_KINDS } from './kinds.ts'
import { EXPORTS } from './limits.ts'
import { tellReady } from './mails.ts'
import { addPart, dropParts, type ExportEnding, endExport, usageOf } from './store/exports.ts'

const compressed = promisify(gzip)
const MARK = '\ufeff'

/**
 * Makes so many parts of an export, each with the place after it, so that another worker can go on at any
 * time. Undefined: more is to do, or the lease is lost. Decision 0169.
 */
export async function makeParts(
  ctx: Context,
  app: App,
  started: Export,
  { pages, isAtOnce = false }: { readonly pages: number; readonly isAtOnce?: boolean },
): Promise<Export | undefined> {
  const end = (ending: Finish) => finish(ctx, app, started, { ...ending, isAtOnce })
  const { kind, spec } = started
  const selection = {
    from: spec.from === null ? undefined : new Date(spec.from),
    to: new Date(spec.to),
    now: new Date(spec.now),
    filter: spec.filter,
    timeZone: spec.timeZone,
    sealingKey: spec.sealingKey === undefined ? undefined : openKey(ctx, spec.sealingKey),
  }
  const read = await EXPORT_KINDS[kind].open(ctx, app, selection, spec.columns)
  let current = started
  for (let page = 0; page < pages; page++) {
    if (isComplete(current)) return end({ state: 'done' })
    const cells = await read(current.place ?? undefined, EXPORTS.pageRows)
    const written = await writePart(ctx, current, cells)
    if (!written) return undefined
    current = written
    if (current.rowCount > EXPORTS.rows) return end({ state: 'failed', problem: 'too-many-rows' })
    if ((await usageOf(ctx.db, app.appId)).storedBytes > EXPORTS.appBytes)
      return end({ state: 'failed', problem: 'no-space' })
  }
  return isComplete(current) ? end({ state: 'done' }) : undefined
}

const openKey = ({ vault }: Context, sealed: string): Uint8Array =>
  Buffer.from(vault.open(Buffer.from(sealed, 'base64')), 'hex')

/** The last part was written: no place follows it. */
const isComplete = ({ partCount, place }: Export): boolean => partCount > 0 && place === null

async function writePart(ctx: Context, to: Export, { rows, next }: CellPage): Promise<Export | undefined> {
  const { columns, separator, hasMark } = to.spec
  const head = to.partCount === 0 ? `${hasMark ? MARK : ''}${csvLine(columns, separator)}` : ''
  const text = Buffer.from(head + rows.map((cells) => csvLine(cells, separator)).join(''))
  const part = {
    content: await compressed(text),
    rows: rows.length,
    fileBytes: text.length,
    place: next ?? null,
  }
  return addPart(ctx.db, to, part, after(ctx.clock.now(), EXPORTS.leaseMs))
}

interface Finish extends Omit<ExportEnding, 'now' | 'leaseToken'> {
  /** The answer of the request tells it: no e-mail does. */
  readonly isAtOnce?: boolean
}

/** Undefined: another worker has it, or it was cancelled. */
export function finish(
  ctx: Context,
  app: App,
  { appId, exportId, leaseToken }: Export,
  { isAtOnce = false, ...ending }: Finish,
): Promise<Export | undefined> {
  return ctx.db.transaction(async (tx) => {
    const ended = await endExport(tx, { appId, exportId }, { ...ending, now: ctx.clock.now(), leaseToken })
    if (!ended) return undefined
    if (ended.state === 'failed') await dropParts(tx, ended)
    if (!isAtOnce) await tellReady(ctx, tx, app, ended)
    return ended
  })
}
