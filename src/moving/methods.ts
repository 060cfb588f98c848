import { inParallel } from '../base/turns.ts'
import type { Context } from '../context.ts'
import {
  customersWithSome,
  findKnownTokens,
  foundVerified,
  type NotImported,
  storeFirstMethods,
  storeVerified,
  type TokenToImport,
  type Verified,
  type VerifiedToken,
  verifyToken,
} from '../customers/import-method.ts'
import { type App, appNow } from '../merchants/app.ts'
import type { ImportedMethod } from './format.ts'
import type { ChunkResult, Import, LineResult, Postponed } from './import.ts'
import { IMPORTS } from './limits.ts'
import { addCustomerIds } from './store/rows.ts'

/**
 * Reads the tokens, then stores those that are right. A repeated chunk reads only what is not stored.
 * Decision 0201.
 */
export async function doMethods(
  ctx: Context,
  app: App,
  current: Import,
  rows: readonly ImportedMethod[],
): Promise<ChunkResult | Postponed> {
  const isLast = current.tries + 1 >= IMPORTS.tries
  const tokens = new Map(rows.map((row) => [row, tokenOf(row, current.importId)]))
  const { verified, waits } = await readAll(ctx, app, [...tokens.values()], {
    atOnce: current.readsAtOnce,
    isLast,
  })
  const write = current.isDryRun ? previewAll : storeAll
  const stored = await write(ctx, app, [...tokens.values()], verified)
  if (waits && !isLast) return { until: waits.retryAfter }
  const results = new Map<number, LineResult>()
  for (const [row, token] of tokens) {
    const found = verified.get(token) ?? waits ?? { problem: 'no-answer' }
    results.set(row.line, stored.get(token) ?? resultOf(found))
  }
  return { results }
}

const tokenOf = (row: ImportedMethod, importId: string): TokenToImport => ({
  ...{ customerId: row.customerId, profileId: row.profileId, token: row.token, importId },
  consent: { time: new Date(row.consentTime), text: row.consentText },
})

function resultOf(found: Verified): LineResult {
  if ('problem' in found) return { code: found.problem }
  return 'known' in found && !found.known.isOfImport ? 'known' : 'added'
}

interface Reading {
  readonly atOnce: number
  /** The last try reads on although the provider asks for fewer requests. */
  readonly isLast: boolean
}

interface AllRead {
  /** Without those that were not read because the chunk waits. */
  readonly verified: ReadonlyMap<TokenToImport, Verified>
  /** Why the chunk waits. */
  readonly waits: NotImported | undefined
}

async function readAll(
  ctx: Context,
  app: App,
  tokens: readonly TokenToImport[],
  { atOnce, isLast }: Reading,
): Promise<AllRead> {
  const known = await findKnownTokens(ctx, app, tokens)
  const verified = new Map<TokenToImport, Verified>()
  let waits: NotImported | undefined
  let silent = 0
  await inParallel(tokens, atOnce, async (token) => {
    const isSlowed = waits?.problem === 'rate-limited' && !isLast
    if (isSlowed || silent >= IMPORTS.silentReads) return
    const found = await verifyToken(ctx, app, token, known(token))
    verified.set(token, found)
    if (!('problem' in found)) return
    if (found.problem === 'no-answer') silent++
    if (found.problem === 'no-answer' || found.problem === 'rate-limited') waits = found
  })
  return { verified, waits }
}

/** What `storeAll` would say. Customers without a method need no look. */
async function previewAll(
  ctx: Context,
  app: App,
  tokens: readonly TokenToImport[],
  verified: ReadonlyMap<TokenToImport, Verified>,
): Promise<ReadonlyMap<TokenToImport, LineResult>> {
  const results = new Map<TokenToImport, LineResult>()
  const others = await customersWithSome(ctx, app, tokens)
  await inParallel(tokens, IMPORTS.writesAtOnce, async (token) => {
    const found = verified.get(token)
    if (!found || !('stored' in found) || !others.has(token.customerId)) return
    const before = await foundVerified(ctx, app, { token, verified: found })
    if (before) results.set(token, before === 'removed' ? { code: 'removed' } : 'known')
  })
  return results
}

/** Stores what is verified: first methods of customers together, the others by the rules for each. */
async function storeAll(
  ctx: Context,
  app: App,
  tokens: readonly TokenToImport[],
  verified: ReadonlyMap<TokenToImport, Verified>,
): Promise<ReadonlyMap<TokenToImport, LineResult>> {
  const groups = new Map<string, VerifiedToken[]>()
  for (const token of tokens) {
    const found = verified.get(token)
    if (!found || !('stored' in found)) continue
    groups.set(token.customerId, [...(groups.get(token.customerId) ?? []), { token, verified: found }])
  }
  const right = [...groups.values()].flat().map(({ token }) => token)
  await addCustomerIds(ctx.db, app.appId, right, appNow(ctx, app))
  const single = [...groups.values()].filter((group) => group.length === 1).flat()
  const first = new Set(await storeFirstMethods(ctx, app, single))
  const results = new Map<TokenToImport, LineResult>([...first].map(({ token }) => [token, 'added']))
  // The first method of a customer becomes its default, so those of one customer keep their order.
  await inParallel([...groups.values()], IMPORTS.writesAtOnce, async (group) => {
    for (const one of group) {
      if (first.has(one)) continue
      const kept = await storeVerified(ctx, app, one.token, one.verified)
      if ('problem' in kept) results.set(one.token, { code: kept.problem })
      else results.set(one.token, kept.isNew ? 'added' : 'known')
    }
  })
  return results
}
