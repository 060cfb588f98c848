import { type Due, type Queryable, sql } from '../db/database.ts'
import type { ExceptionName } from '../mail/kinds.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'
import { isOfPresentUrl } from '../webhooks/endpoint.ts'

export interface FailingEndpoint {
  readonly appId: string
  /** '' stands for the app's URL. */
  readonly endpoint: string
  readonly url: string
  readonly since: Date
  readonly error: string
  readonly isDisabled: boolean
}

/** Endpoints that failed for this long, and those that are disabled. A short outage causes no e-mail. */
const FAILING_MINUTES = 10

/** Names the day, so that a lasting problem causes one e-mail a day. */
const daily = (kind: string, id: string, now: string): string =>
  `'${kind}:' || ${id} || ':' || to_char(${now} at time zone 'UTC', 'YYYY-MM-DD')`

const isMailed = (appId: string, occasion: string): string =>
  `exists (select from mails m where m.app_id = ${appId} and m.mail_id >= ${occasion} || ':'
     and m.mail_id < ${occasion} || ';')`

/** The team of an app `a` wants e-mails of this kind. */
export const tellable = (kind: string): string =>
  `'${kind}' = any (a.team_mails) and (not a.is_sandbox or a.team_addresses <> '{}')`

/** The notice is not written, or the e-mail is wanted and not queued. */
const isOpen = (kind: string, appId: string, occasion: string, canSend: string): string =>
  `a.is_active and (not exists (
       select from notices n where n.app_id = ${appId} and n.notice_id = ${occasion})
     or ${canSend} and ${tellable(kind)} and not ${isMailed(appId, occasion)})`

/** Rows that are due. `canSend`: there is a mail server. */
type Trouble = (now: string, canSend: string) => string

const endpointOccasion = (now: string): string =>
  daily('endpoint-failing', 'md5(e.endpoint)', `(${now})::timestamptz`)

const FAILING: Trouble = (now, canSend) => `webhook_endpoints e join apps a on a.app_id = e.app_id
   where (e.disabled_time is not null
     or e.failing_time + a.clock_offset_ms * interval '-1 millisecond'
       < (${now})::timestamptz - interval '${FAILING_MINUTES} minutes')
     and ${isOfPresentUrl('e')}
     and ${isOpen('endpoint-failing', 'e.app_id', endpointOccasion(now), canSend)}`

const ENDPOINTS = sql<FailingEndpoint & Occasion>(
  'occasions.endpoints',
  `select e.app_id, e.endpoint, e.url, e.failing_time as since, e.last_error as error,
     e.disabled_time is not null as is_disabled, ${endpointOccasion('$1')} as occasion
   from ${FAILING('$1', '$3')} order by e.failing_time limit $2`,
)

export interface Occasion {
  readonly occasion: string
}

interface Look {
  readonly now: Date
  readonly limit: number
  /** There is a mail server. */
  readonly canSend: boolean
}

export async function failingEndpoints(
  db: Queryable,
  { now, limit, canSend }: Look,
): Promise<(FailingEndpoint & Occasion)[]> {
  return await db.query(ENDPOINTS, [now, limit, canSend])
}

/** Probes in a row that failed: a single one may be an accident. */
const FAILED_PROBES = 2

const providerOccasion = (now: string): string =>
  daily('provider-degraded', 'h.profile_id', `(${now})::timestamptz`)

const DEGRADED: Trouble = (now, canSend) => `profile_health h join apps a on a.app_id = h.app_id
     join payment_profiles p on p.app_id = h.app_id and p.profile_id = h.profile_id
   where h.failures >= ${FAILED_PROBES} and p.is_active
     and ${isOpen('provider-degraded', 'h.app_id', providerOccasion(now), canSend)}`

const PROFILES = sql<DegradedProfile>(
  'occasions.profiles',
  `select h.app_id, h.profile_id, p.name, h.diagnosis, ${providerOccasion('$1')} as occasion
   from ${DEGRADED('$1', '$3')} order by h.app_id, h.profile_id limit $2`,
)

export interface DegradedProfile extends Occasion {
  readonly appId: string
  readonly profileId: number
  readonly name: string
  readonly diagnosis: Diagnosis
}

export async function degradedProfiles(
  db: Queryable,
  { now, limit, canSend }: Look,
): Promise<DegradedProfile[]> {
  return await db.query(PROFILES, [now, limit, canSend])
}

export const troubleDue = (canSend: boolean): readonly Due[] =>
  [FAILING, DEGRADED].map((trouble) => (now) => trouble(now, String(canSend)))

export interface EndingAuthorisation {
  readonly paymentId: number
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly until: Date
}

/** The oldest authorised payments of the app are looked at: they end first. */
const ENDING = sql<EndingAuthorisation>(
  'occasions.authorisations',
  `select p.payment_id, coalesce(nullif(s.order_id, ''), p.reference_id) as reference, p.amount_minor,
     p.currency, p.authorised_until as until
   from (
     select app_id, payment_id, order_id from payment_search
     where app_id = $1 and state in ('Authorized', 'ProviderAuthorizedHold')
     order by created_time, payment_id limit $4) s
     join payments p on p.app_id = s.app_id and p.payment_id = s.payment_id
   where p.state in ('Authorized', 'ProviderAuthorizedHold')
     and p.authorised_until > $2 and p.authorised_until <= $3
   order by p.authorised_until, p.payment_id`,
)

export async function endingAuthorisations(
  db: Queryable,
  appId: string,
  { from, until, limit }: { readonly from: Date; readonly until: Date; readonly limit: number },
): Promise<EndingAuthorisation[]> {
  return await db.query(ENDING, [appId, from, until, limit])
}

interface OpenedExceptions {
  readonly kind: ExceptionName
  readonly count: number
}

/** An exception that closed by itself in the meantime needs nothing. */
const OPENED = sql<OpenedExceptions>(
  'occasions.exceptions',
  `select e.kind, count(*)::integer as count from settlement_exceptions e
   where e.app_id = $1 and e.opened_time > $2 and e.opened_time <= $3 and e.closed_time is null
   group by e.kind order by 2 desc, 1`,
)

/** Exceptions of the app that were opened in a period and are open still. */
export const openedExceptions = (
  db: Queryable,
  appId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<OpenedExceptions[]> => db.query(OPENED, [appId, from, until])

/** Reads in a row that failed: a single one may be an accident. */
const FAILED_READS = 2

const SOURCES = sql<{ name: string }>(
  'occasions.sources',
  `select p.name from settlement_sources s
     join payment_profiles p on p.app_id = s.app_id and p.profile_id = s.profile_id
   where s.app_id = $1 and s.is_active and s.problem is not null and s.tries >= ${FAILED_READS}
   order by s.profile_id limit $2`,
)

/** The names of profiles whose settlements cannot be read. */
export const failingSources = async (db: Queryable, appId: string, limit: number): Promise<string[]> =>
  (await db.query(SOURCES, [appId, limit])).map(({ name }) => name)
