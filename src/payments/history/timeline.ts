import { eventIdOf } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import { isAllowed } from '../../fraud/verdict.ts'
import { paymentVerdicts } from '../../fraud/verdicts/explain.ts'
import type { ExplainedCheck } from '../../fraud/verdicts/view.ts'
import { apiCallsOf } from '../../logs/api/commands.ts'
import { listPageViews } from '../../logs/page-views/commands.ts'
import type { PaymentPageView } from '../../logs/page-views/page-view.ts'
import { listProviderCalls } from '../../logs/provider/commands.ts'
import type { CallOutcome } from '../../logs/provider/lines.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import { namesOfKeys } from '../../merchants/keys/commands.ts'
import { getPayment } from '../actions.ts'
import type { Payment } from '../payment.ts'
import type { PaymentProblem } from '../problems.ts'
import {
  type HistoryRecord,
  listMovements,
  listStates,
  type RefundRecord,
  type UndoRecord,
} from './timeline-store.ts'

/** One thing that happened to a payment. `time` is the app's. */
export type TimelineItem =
  | ApiItem
  | PageItem
  | StateItem
  | ProviderItem
  | FraudItem
  | WebhookItem
  | RefundItem
  | UndoItem
  | PersonItem

interface At {
  readonly time: Date
}

interface ApiItem extends At {
  readonly kind: 'api'
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly keyId: string | null
  readonly keyName: string | null
  readonly personId: string | null
  readonly error: string | null
}

interface PageItem extends At {
  readonly kind: 'page'
  readonly step: PaymentPageView['step']
  readonly language: string
  readonly country: string | null
  readonly device: PaymentPageView['device']
  readonly method: string | null
}

interface StateItem extends At {
  readonly kind: 'state'
  readonly sequence: number
  readonly state: string
  readonly lastError: PaymentProblem | null
}

/** Headers and bodies are masked JSON. */
interface ProviderItem extends At {
  readonly kind: 'provider'
  readonly lineId: number
  readonly step: string
  readonly attempt: number | null
  readonly profileId: number
  readonly profileName: string | null
  readonly provider: string | null
  readonly method: string
  readonly url: string
  readonly outcome: CallOutcome
  readonly status: number | null
  readonly ms: number
  readonly requestHeaders: string
  readonly requestBody: string | null
  readonly responseBody: string | null
}

interface FraudItem extends At {
  readonly kind: 'fraud'
  readonly attempt: number
  readonly decision: string
  /** Null: the block list alone was checked. */
  readonly policyId: number | null
  readonly policyName: string | null
  readonly policyVersion: number | null
  /** The checks that were violated, and the entry of the allow list after which they do not count. */
  readonly decisive: readonly ExplainedCheck[]
}

interface WebhookItem extends At {
  readonly kind: 'webhook'
  readonly eventId: string
  readonly sequence: number
  /** 0: not tried yet. */
  readonly attempt: number
  readonly status: string
  /** 0: the first endpoint. */
  readonly endpointId: number
  /** Empty: the app's webhook address. */
  readonly endpoint: string
  readonly httpStatus: number | null
  readonly latencyMs: number | null
  readonly error: string | null
}

interface RefundItem extends At {
  readonly kind: 'refund'
  readonly refundId: string
  readonly amountMinor: bigint
  readonly state: RefundRecord['state']
  readonly description: string | null
  readonly reason: RefundRecord['reason']
}

interface UndoItem extends At, UndoRecord {
  readonly kind: 'undo'
}

export interface PersonItem extends At {
  readonly kind: 'person'
  readonly actorId: string
  readonly actorName: string
  readonly action: string
  /** What the person wrote. */
  readonly note: string | null
  /** The person gave a one-time code. */
  readonly hasSecondFactor: boolean
}

/** Reads what people did to a payment, from the audit log. */
export type PeopleReader = (app: App, paymentId: number, limit: number) => Promise<readonly PersonItem[]>

const MAX_ITEMS = 500
/** A limit for each kind, so that one does not fill the timeline. */
const MAX_OF_KIND = 200

export interface Timeline {
  /** In the order they happened. */
  readonly items: readonly TimelineItem[]
  /** Older items were left out. */
  readonly isCut: boolean
}

/**
 * What happened to a payment, in order. Requests, page views and provider calls are those of the logs: they
 * are removed after some days, and a busy app's are logged in part.
 */
export async function timelineOf(
  ctx: Context,
  app: App,
  paymentId: number,
  people: PeopleReader = async () => [],
): Promise<Timeline> {
  const payment = await getPayment(ctx, app, paymentId)
  const wanted = { paymentId, limit: MAX_OF_KIND }
  const parts = await Promise.all([
    apiItems(ctx, app, wanted),
    pageItems(ctx, app, wanted),
    people(app, paymentId, MAX_OF_KIND),
    fraudItems(ctx, app, paymentId),
    providerItems(ctx, app, wanted),
    stateItems(ctx, app, wanted),
    movementItems(ctx, app, payment, wanted),
  ])
  // A stable sort: of one millisecond, causes stand before effects in the order of the parts.
  const items = parts.flat().sort((one, other) => one.time.getTime() - other.time.getTime())
  const isCut = items.length > MAX_ITEMS || parts.some((part) => part.length >= MAX_OF_KIND)
  return { items: items.slice(-MAX_ITEMS), isCut }
}

interface Wanted {
  readonly paymentId: number
  readonly limit: number
}

async function apiItems(ctx: Context, app: App, wanted: Wanted): Promise<TimelineItem[]> {
  const calls = await apiCallsOf(ctx, app, wanted)
  const used = new Set(calls.flatMap(({ keyId }) => keyId ?? []))
  const names = await namesOfKeys(ctx, app, [...used])
  return calls.reverse().map((call) => ({
    kind: 'api',
    time: call.startTime,
    requestId: call.requestId,
    method: call.method,
    path: call.path,
    route: call.route,
    status: call.status,
    ms: call.ms,
    keyId: call.keyId,
    keyName: names.get(call.keyId ?? '') ?? null,
    personId: call.personId,
    error: call.error,
  }))
}

async function pageItems(ctx: Context, app: App, wanted: Wanted): Promise<TimelineItem[]> {
  const visits = await listPageViews(ctx, app, wanted)
  return visits.reverse().map(({ step, visitTime, language, country, device, method }) => ({
    kind: 'page',
    time: visitTime,
    ...{ step, language, country, device, method },
  }))
}

async function stateItems(ctx: Context, app: App, wanted: Wanted): Promise<TimelineItem[]> {
  const states = await listStates(ctx.db, app.appId, wanted)
  return states.map((state) => ({ kind: 'state', ...state }))
}

async function providerItems(ctx: Context, app: App, wanted: Wanted): Promise<TimelineItem[]> {
  const calls = await listProviderCalls(ctx, app, wanted)
  return calls.reverse().map(({ startTime, paymentId: _payment, ...call }) => {
    const profile = findProfile(app, call.profileId)
    const { name: profileName = null, provider = null } = profile ?? {}
    return { kind: 'provider', time: startTime, profileName, provider, ...call }
  })
}

async function fraudItems(ctx: Context, app: App, paymentId: number): Promise<TimelineItem[]> {
  const verdicts = await paymentVerdicts(ctx, app, paymentId)
  return verdicts.slice(-MAX_OF_KIND).map((verdict) => ({
    kind: 'fraud',
    time: new Date(verdict.time),
    attempt: verdict.attempt,
    decision: verdict.decision,
    policyId: verdict.fraudPolicyId,
    policyName: verdict.fraudPolicyName,
    policyVersion: verdict.version,
    decisive: verdict.checks.filter((check) => check.result === 'Violated' || isAllowed(check)),
  }))
}

async function movementItems(
  ctx: Context,
  app: App,
  payment: Payment,
  wanted: Wanted,
): Promise<TimelineItem[]> {
  const movements = await listMovements(ctx.db, app.appId, wanted)
  return movements.reverse().map((movement) => movementItem(payment, movement))
}

function movementItem({ paymentId }: Payment, { kind, time, data }: HistoryRecord): TimelineItem {
  switch (kind) {
    case 'webhook':
      return { kind, time, eventId: eventIdOf(paymentId, data.sequence), ...data }
    case 'refund':
      return { kind, time, ...data, amountMinor: BigInt(data.amountMinor) }
    case 'undo':
      return { kind, time, ...data }
  }
}
