import type { Clock } from '../../base/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Database } from '../../db/database.ts'
import { type Cache, createCache } from '../../merchants/cache.ts'
import { slot } from '../../node/slot.ts'
import { type StoredPolicy, selectPolicies } from './store.ts'

interface Ctx {
  readonly db: Database
  readonly clock: Clock
}

/** The fraud policies of each app. */
export type PolicyCache = Cache<readonly StoredPolicy[]>

const MAX_APPS = 10_000

export const createPolicyCache = ({ db, clock }: Ctx): PolicyCache =>
  createCache({
    clock,
    maxAgeMs: LIMITS.directoryMs,
    maxSize: MAX_APPS,
    load: (appId: string): Promise<readonly StoredPolicy[]> => selectPolicies(db, appId),
  })

export const policies = slot('policies', createPolicyCache, {
  holds: 'fraud policies by app',
  until: 'a change on this node, or 0.5 s',
  restart: 'nothing: it is read again',
})
