import { ApiError, notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { type Queryable, violatedConstraint } from '../../db/database.ts'
import type { Page } from '../../db/page.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { auditApp } from '../../merchants/app-audit.ts'
import { createCache } from '../../merchants/cache.ts'
import { forgetApp } from '../../merchants/directory.ts'
import { slot } from '../../node/slot.ts'
import { NO_FIREWALL, type Policy } from '../policy.ts'
import {
  clearDefault,
  countPinned,
  deletePolicy,
  insertPolicy,
  lockPolicy,
  type PolicyAuthor,
  type PolicyVersion,
  pageOfPolicies,
  pageOfVersions,
  type StoredPolicy,
  selectPolicies,
  selectVersion,
  setDefault,
  updatePolicy,
} from './store.ts'

export type { PolicyVersion, StoredPolicy } from './store.ts'

type Ctx = Pick<Context, 'db' | 'log' | 'node'>

/** Cached for at most half a second. */
const policiesOf = async (ctx: Ctx, appId: string): Promise<readonly StoredPolicy[]> =>
  (await policies(ctx).get(appId)) ?? []

function forgetPolicies(ctx: Ctx, appId: string): void {
  policies(ctx).forget(appId)
  forgetApp(ctx, appId)
}

/** Falls back to the database for a policy that another node has just created. */
export async function findPolicy(
  ctx: Ctx,
  appId: string,
  policyId: number,
): Promise<StoredPolicy | undefined> {
  const known = (await policiesOf(ctx, appId)).find((policy) => policy.policyId === policyId)
  return known ?? (await selectPolicies(ctx.db, appId)).find((policy) => policy.policyId === policyId)
}

/** The version that a verdict used, even if the policy was changed or deleted since. */
export async function policyVersion(
  ctx: Ctx,
  appId: string,
  { policyId, version }: Pick<Policy, 'policyId' | 'version'>,
): Promise<Policy | undefined> {
  const now = (await policiesOf(ctx, appId)).find((policy) => policy.policyId === policyId)
  return now?.version === version ? now : selectVersion(ctx.db, appId, policyId, version)
}

export async function getPolicy(ctx: Ctx, app: App, policyId: number): Promise<StoredPolicy> {
  const policy = await findPolicy(ctx, app.appId, policyId)
  if (!policy) throw notFound('The fraud policy')
  return policy
}

/** In order of creation, after this one. */
export const policyPage = (ctx: Ctx, app: App, after: number): Promise<Page<StoredPolicy>> =>
  pageOfPolicies(ctx.db, app.appId, after)

const MAX_VERSION = 2 ** 31 - 1

/** Newest first, before this one. A policy has at least one version. */
export async function versionPage(
  ctx: Ctx,
  app: App,
  policyId: number,
  before = MAX_VERSION,
): Promise<Page<PolicyVersion>> {
  const page = await pageOfVersions(ctx.db, app.appId, policyId, Math.min(before, MAX_VERSION))
  if (page.items.length === 0 && before === MAX_VERSION) throw notFound('The fraud policy')
  return page
}

/** Absent fields stay unchanged; in a new policy they are empty. */
export interface PolicyChanges extends Partial<Pick<Policy, 'name' | 'rules' | 'firewall'>> {
  readonly isDefault?: boolean
}

/** A version names the person that made it, or the API key. */
const authorOf = (ctx: Context, app: App, keyId: string | undefined): PolicyAuthor => ({
  keyId,
  name: ctx.actor?.kind === 'person' ? ctx.actor.name : undefined,
  now: appNow(ctx, app),
})

export async function createPolicy(
  ctx: Context,
  app: App,
  { isDefault, ...changes }: PolicyChanges & Pick<Policy, 'name'>,
  keyId: string | undefined,
): Promise<StoredPolicy> {
  const policy = await ctx.db.transaction(async (tx) => {
    const author = authorOf(ctx, app, keyId)
    const made = await insertPolicy(tx, app.appId, { rules: [], firewall: NO_FIREWALL, ...changes }, author)
    if (isDefault) await setDefault(tx, app.appId, made.policyId)
    await auditPolicy(ctx, tx, app, { action: 'policy.created', policy: made, isDefault })
    return made
  })
  forgetPolicies(ctx, app.appId)
  return policy
}

export interface Changing {
  readonly policyId: number
  readonly keyId: string | undefined
}

export async function changePolicy(
  ctx: Context,
  app: App,
  { isDefault, ...changes }: PolicyChanges,
  { policyId, keyId }: Changing,
): Promise<StoredPolicy> {
  const policy = await ctx.db.transaction(async (tx) => {
    const before = await lockPolicy(tx, app.appId, policyId)
    if (!before) throw notFound('The fraud policy')
    if (isDefault === true) await setDefault(tx, app.appId, policyId)
    if (isDefault === false) await clearDefault(tx, app.appId, policyId)
    const isChanged = Object.keys(changes).length > 0
    const after = isChanged ? { ...before, ...changes, version: before.version + 1 } : before
    if (isChanged) await updatePolicy(tx, app.appId, after, authorOf(ctx, app, keyId))
    await auditPolicy(ctx, tx, app, { action: 'policy.changed', policy: after, isDefault, before })
    return after
  })
  forgetPolicies(ctx, app.appId)
  return policy
}

interface PolicyEntry {
  readonly action: string
  readonly policy: StoredPolicy
  readonly before?: StoredPolicy
  readonly isDefault?: boolean | undefined
}

/** Rules are not copied: every version of a policy is kept. */
function auditPolicy(
  ctx: Context,
  tx: Queryable,
  app: App,
  { action, policy, before, isDefault }: PolicyEntry,
): Promise<void> {
  const shown = ({ name, version }: StoredPolicy) => ({ name, version })
  return auditApp(ctx, tx, app, {
    action,
    target: `policy:${policy.policyId}`,
    ...(before ? { before: shown(before) } : {}),
    after: { ...shown(policy), ...(isDefault === undefined ? {} : { isDefault }) },
  })
}

export async function removePolicy(ctx: Context, app: App, { policyId, keyId }: Changing): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const policy = await lockPolicy(tx, app.appId, policyId)
      if (!policy) throw notFound('The fraud policy')
      await deletePolicy(tx, app.appId, policy, authorOf(ctx, app, keyId))
      await auditPolicy(ctx, tx, app, { action: 'policy.deleted', policy })
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'apps_default_fraud_policy') throw error
    throw new ApiError('fraud_policy_in_use', 'The policy is the default of the app.')
  }
  forgetPolicies(ctx, app.appId)
}

/** Bounds the count of a policy that very many customers have. */
const MAX_COUNTED = 1_000

/** What is affected when the policy is deleted. `customers` is counted up to `most`. */
export async function policyUses(ctx: Ctx, app: App, policyId: number) {
  const customers = await countPinned(ctx.db, app.appId, policyId, MAX_COUNTED)
  return { isDefault: app.defaultFraudPolicyId === policyId, customers, most: MAX_COUNTED }
}

const MAX_APPS = 10_000

const createPolicyCache = ({ db, clock }: Pick<Context, 'db' | 'clock'>) =>
  createCache({
    clock,
    maxAgeMs: LIMITS.directoryMs,
    maxSize: MAX_APPS,
    load: (appId: string): Promise<readonly StoredPolicy[]> => selectPolicies(db, appId),
  })

const policies = slot('policies', createPolicyCache, {
  holds: 'fraud policies by app',
  until: 'a change on this node, or 0.5 s',
  restart: 'nothing: it is read again',
})
