import { type FieldError, invalid, notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { maskedMailbox } from '../../base/mailbox.ts'
import { expected, mistaken } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Page } from '../../db/page.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { forgetApp } from '../../merchants/directory.ts'
import { ALLOW_KINDS, type BlockKind, type FraudCheck, type FraudFacts } from '../verdict.ts'
import { allowCheck, blockCheck, blockValue, isOfOnePayer, keysOf, matchKey } from './rules.ts'
import {
  type BlockEntry,
  type BlockQuery,
  type BlockSource,
  deleteBlock,
  findBlock,
  insertBlocks,
  pageOfBlocks,
  selectBlock,
} from './store.ts'

export type { BlockEntry } from './store.ts'
export { eraseBlocks } from './store.ts'

/** What is compared with the value of each kind, for the sentence about a wrong one. */
const EXPECTED = {
  Card: 'blockedCard',
  Email: 'email',
  EmailDomain: 'emailDomain',
  Address: 'addressRange',
  Customer: 'text',
  Country: 'country',
} as const

export interface WantedBlock {
  readonly kind: BlockKind
  readonly value: string
  /** Names the value in a refusal. */
  readonly field: string
}

export interface BlockDetails {
  /** Payments that meet the entries are let through. Default: they are stopped. */
  readonly isAllowed?: boolean | undefined
  readonly reason?: string | null | undefined
  readonly endTime?: Date | null | undefined
  /** The payment and its customer that the values were taken from. */
  readonly source?: { readonly paymentId: number | null; readonly customerId: string } | undefined
}

/** Adds entries, or replaces the reason and the end of those that exist. All of them, or none. */
export async function addBlocks(
  ctx: Context,
  app: App,
  wanted: readonly WantedBlock[],
  { isAllowed = false, reason, endTime, source }: BlockDetails,
): Promise<readonly BlockEntry[]> {
  const now = appNow(ctx, app)
  const blocks = readBlocks(app, wanted, isAllowed)
  if (isAllowed && !reason?.trim()) throw invalid([mistaken('reason', 'required')])
  if (endTime && endTime <= now) throw invalid([expected('endTime', 'future')])
  const shared: BlockSource = {
    isAllowed,
    reason: reason?.trim() || null,
    endTime: endTime ?? null,
    paymentId: source?.paymentId ?? null,
    customerId: source?.customerId ?? null,
    createdTime: now,
    createdBy: ctx.actor?.name ?? null,
  }
  const added = await ctx.db.transaction(async (tx) => {
    const entries = await insertBlocks(tx, app.appId, blocks, shared)
    if (entries.length < blocks.length)
      throw invalid([mistaken('value', 'fullList', { most: LIMITS.blockEntries })])
    for (const entry of entries) await auditBlock(ctx, tx, app, 'added', entry)
    return entries
  })
  forgetApp(ctx, app.appId)
  return added
}

/** A whole domain or country would switch the policies off for everyone who names it. */
const mayBe = (kind: BlockKind, isAllowed: boolean): boolean =>
  !isAllowed || ALLOW_KINDS.some((one) => one === kind)

function readBlocks({ appId }: App, wanted: readonly WantedBlock[], isAllowed: boolean) {
  const errors: FieldError[] = []
  const blocks = new Map<string, { kind: BlockKind; key: string; value: string }>()
  for (const { kind, value: typed, field } of wanted) {
    const value = blockValue(kind, typed)
    if (!mayBe(kind, isAllowed)) errors.push(mistaken(field, 'notAllowed'))
    else if (value === undefined) errors.push(expected(field, EXPECTED[kind]))
    else if (isAllowed && kind === 'Address' && !isOfOnePayer(value))
      errors.push(mistaken(field, 'wideRange'))
    else blocks.set(`${kind} ${value}`, { kind, value, key: matchKey(appId, kind, value) })
  }
  if (errors.length > 0) throw invalid(errors)
  return [...blocks.values()]
}

export async function removeBlock(ctx: Context, app: App, entryId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const entry = await deleteBlock(tx, app.appId, entryId)
    if (!entry) throw notFound('The entry')
    await auditBlock(ctx, tx, app, 'removed', entry)
  })
  forgetApp(ctx, app.appId)
}

/** The log is not erased with a customer, so it has no address, card or e-mail address of a person. */
function auditBlock(
  ctx: Context,
  tx: Queryable,
  app: App,
  ...[what, { entryId, kind, value, endTime, isAllowed }]: readonly ['added' | 'removed', BlockEntry]
): Promise<void> {
  const isShown = kind !== 'Card' && kind !== 'Address' && value !== null
  const shown = { kind, ...(isShown && { value: maskedIf(kind, value) }), ...(endTime && { endTime }) }
  const action = isAllowed ? (`allow.${what}` as const) : (`block.${what}` as const)
  const change = what === 'added' ? { after: shown } : { before: shown }
  return auditApp(ctx, tx, app, { action, target: `block:${entryId}`, ...change })
}

const maskedIf = (kind: BlockKind, value: string): string => (kind === 'Email' ? maskedMailbox(value) : value)

export async function getBlock({ db }: Pick<Context, 'db'>, app: App, entryId: number): Promise<BlockEntry> {
  const entry = await selectBlock(db, app.appId, entryId)
  if (!entry) throw notFound('The entry')
  return entry
}

/** Newest first. */
export const blockPage = (
  { db }: Pick<Context, 'db'>,
  app: App,
  query: BlockQuery,
  limit: number = LIMITS.pageSize,
): Promise<Page<BlockEntry>> => pageOfBlocks(db, app.appId, query, limit)

/** The checks of the lists in one query; none where they have nothing of what is known about the payment. */
export async function checkBlocks(
  ctx: Context,
  app: App,
  { customerId, facts }: { readonly customerId: string; readonly facts: FraudFacts },
  stage: FraudCheck['stage'],
): Promise<FraudCheck[]> {
  const { appId, blockKinds, allowKinds } = app
  const kinds = [...blockKinds, ...allowKinds]
  if (kinds.length === 0) return []
  const keys = keysOf({ appId, kinds }, customerId, facts)
  const found = keys.length > 0 ? await findBlock(ctx.db, appId, keys, appNow(ctx, app)) : undefined
  if (!found?.isAllowed) return found || blockKinds.length > 0 ? [blockCheck(found, stage)] : []
  return [...(blockKinds.length > 0 ? [blockCheck(undefined, stage)] : []), allowCheck(found, stage)]
}
