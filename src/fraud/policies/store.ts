import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import { boundedPage, type Page, type PageRow, pageOf } from '../../db/page.ts'
import type { Policy } from '../policy.ts'

export interface StoredPolicy extends Policy {
  readonly createdTime: Date
}

type PolicyContent = Pick<Policy, 'name' | 'rules' | 'firewall'>

/** The key or person that changes a policy, and the time. */
export interface PolicyAuthor {
  readonly keyId: string | undefined
  readonly now: Date
  /** An e-mail address, or the name of the key. */
  readonly name?: string | undefined
}

const LIST = sql<StoredPolicy>(
  'fraud.policies',
  `select policy_id, version, name, rules, firewall, created_time
   from fraud_policies where app_id = $1 order by policy_id`,
)

export const selectPolicies = (db: Queryable, appId: string): Promise<StoredPolicy[]> =>
  db.query(LIST, [appId])

/** $1 app, $2 the last policy of the page before, $3 rows, $4 bytes. */
const PAGE = sql<StoredPolicy & PageRow>(
  'fraud.policy_page',
  boundedPage(
    `select policy_id, version, name, rules, firewall, created_time,
       octet_length(rules::text) + octet_length(firewall::text) as size
     from fraud_policies where app_id = $1 and policy_id > $2 order by policy_id limit $3`,
    { order: 'policy_id', bytes: '$4' },
  ),
)

export async function pageOfPolicies(
  db: Queryable,
  appId: string,
  after: number,
): Promise<Page<StoredPolicy>> {
  const rows = await db.query(PAGE, [appId, after, LIMITS.pageSize + 1, LIMITS.pageBytes])
  return pageOf(rows, LIMITS.pageSize)
}

const LOCK = sql<StoredPolicy>(
  'fraud.lock_policy',
  `select policy_id, version, name, rules, firewall, created_time
   from fraud_policies where app_id = $1 and policy_id = $2 for update`,
)

/** Reads and locks the policy until the transaction ends. */
export const lockPolicy = async (
  tx: Queryable,
  appId: string,
  policyId: number,
): Promise<StoredPolicy | undefined> => (await tx.query(LOCK, [appId, policyId]))[0]

const INSERT = sql<StoredPolicy>(
  'fraud.insert_policy',
  `insert into fraud_policies (app_id, version, name, rules, firewall, created_time)
   select $1, 1, $2, $3, $4, $5
   where (select count(*) from fraud_policies where app_id = $1) < $6
   returning policy_id, version, name, rules, firewall, created_time`,
)

export async function insertPolicy(
  tx: Queryable,
  appId: string,
  { name, rules, firewall }: PolicyContent,
  author: PolicyAuthor,
): Promise<StoredPolicy> {
  const content = [name, JSON.stringify(rules), JSON.stringify(firewall)]
  const [policy] = await tx.query(INSERT, [appId, ...content, author.now, LIMITS.fraudPolicies])
  if (!policy)
    throw new ApiError('not_possible', `An app has at most ${LIMITS.fraudPolicies} fraud policies.`)
  await keepVersion(tx, appId, policy, { ...author, change: 'Created' })
  return policy
}

const UPDATE = sql<never>(
  'fraud.update_policy',
  `update fraud_policies set version = $3, name = $4, rules = $5, firewall = $6
   where app_id = $1 and policy_id = $2`,
)

export async function updatePolicy(
  tx: Queryable,
  appId: string,
  policy: StoredPolicy,
  author: PolicyAuthor,
): Promise<void> {
  const { policyId, version, name, rules, firewall } = policy
  const values = [appId, policyId, version, name, JSON.stringify(rules), JSON.stringify(firewall)]
  await tx.query(UPDATE, values)
  await keepVersion(tx, appId, policy, { ...author, change: 'Changed' })
}

const DELETE = sql<never>(
  'fraud.delete_policy',
  'delete from fraud_policies where app_id = $1 and policy_id = $2',
)

/** Customers pinned to it are unpinned; a foreign key refuses to delete the app's default. */
export async function deletePolicy(
  tx: Queryable,
  appId: string,
  policy: StoredPolicy,
  author: PolicyAuthor,
): Promise<void> {
  const last = { ...policy, version: policy.version + 1 }
  await keepVersion(tx, appId, last, { ...author, change: 'Deleted' })
  await tx.query(DELETE, [appId, policy.policyId])
}

const KEEP_VERSION = sql<never>(
  'fraud.keep_version',
  `insert into fraud_policy_versions (app_id, policy_id, version, change, name, rules, firewall, changed_time,
     changed_by, changed_name)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
     coalesce($10, (select k.name from api_keys k where k.app_id = $1 and k.key_id = $9)))`,
)

type VersionChange = PolicyAuthor & { readonly change: 'Created' | 'Changed' | 'Deleted' }

async function keepVersion(
  tx: Queryable,
  appId: string,
  policy: Policy,
  { change, now, keyId, name: authorName }: VersionChange,
) {
  const { policyId, version, name, rules, firewall } = policy
  const content = [name, JSON.stringify(rules), JSON.stringify(firewall)]
  await tx.query(KEEP_VERSION, [
    ...[appId, policyId, version, change, ...content, now],
    ...[keyId ?? null, authorName ?? null],
  ])
}

export interface PolicyVersion extends Policy {
  readonly change: VersionChange['change']
  readonly changedTime: Date
  readonly changedBy: string | null
  readonly changedName: string | null
}

const VERSION = `policy_id, version, change, name, rules, firewall, changed_time, changed_by, changed_name`

/** $1 app, $2 policy, $3 the last version of the page before, $4 rows, $5 bytes. */
const VERSIONS = sql<PolicyVersion & PageRow>(
  'fraud.versions',
  boundedPage(
    `select ${VERSION}, octet_length(rules::text) + octet_length(firewall::text) as size
     from fraud_policy_versions where app_id = $1 and policy_id = $2 and version < $3
     order by version desc limit $4`,
    { order: 'version desc', bytes: '$5' },
  ),
)
const ONE_VERSION = sql<PolicyVersion>(
  'fraud.version',
  `select ${VERSION} from fraud_policy_versions where app_id = $1 and policy_id = $2 and version = $3`,
)

/** Newest first. */
export async function pageOfVersions(
  db: Queryable,
  appId: string,
  policyId: number,
  before: number,
): Promise<Page<PolicyVersion>> {
  const values = [appId, policyId, before, LIMITS.pageSize + 1, LIMITS.pageBytes]
  return pageOf(await db.query(VERSIONS, values), LIMITS.pageSize)
}

export const selectVersion = async (db: Queryable, appId: string, policyId: number, version: number) =>
  (await db.query(ONE_VERSION, [appId, policyId, version]))[0]

const SET_DEFAULT = sql<never>(
  'fraud.set_default',
  'update apps set default_fraud_policy_id = $2 where app_id = $1',
)
const CLEAR_DEFAULT = sql<never>(
  'fraud.clear_default',
  `update apps set default_fraud_policy_id = null where app_id = $1 and default_fraud_policy_id = $2`,
)

export async function setDefault(tx: Queryable, appId: string, policyId: number): Promise<void> {
  await tx.query(SET_DEFAULT, [appId, policyId])
}

export async function clearDefault(tx: Queryable, appId: string, policyId: number): Promise<void> {
  await tx.query(CLEAR_DEFAULT, [appId, policyId])
}

const COUNT_PINNED = sql<{ count: number }>(
  'fraud.count_pinned',
  `select count(*)::int as count from (
     select from customers where app_id = $1 and fraud_policy_id = $2 limit $3
   ) found`,
)

/** Customers with this policy, counted up to `most`. */
export const countPinned = async (
  db: Queryable,
  appId: string,
  policyId: number,
  most: number,
): Promise<number> => (await db.query(COUNT_PINNED, [appId, policyId, most]))[0]?.count ?? 0
