import type { Clock } from '../base/clock.ts'
import { type Counter, createCounter } from '../base/counter.ts'
import { LIMITS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { createPolicyCache, type PolicyCache } from '../fraud/policies/cache.ts'
import { type CustomerQueue, createCustomerQueue } from '../fraud/verdicts/customer-queue.ts'
import type { SharedLimits } from '../http/limits/shared.ts'
import { createShares, type Shares } from '../jobs/shares.ts'
import { createCallRecorder } from '../logs/provider/record.ts'
import { createLogState, type LogState } from '../logs/state.ts'
import { createMailTransport, type MailTransport } from '../mail/sending/transport.ts'
import { type ApiLimits, createApiLimits } from '../merchants/api-limits.ts'
import type { CallRecorder } from '../merchants/app.ts'
import { createDirectory, type Directory } from '../merchants/directory-cache.ts'
import { createPaymentIds, type PaymentIds } from '../payments/payment-ids.ts'
import { createPendingSearch, type PendingSearch } from '../payments/search/writing/pending.ts'
import { createOidcProviders, type OidcProviders } from '../people/oidc/discovery.ts'
import { createPasswordWork, type PasswordWork } from '../people/passwords/hash.ts'
import { createSessionCache, type SessionCache } from '../people/sessions/cache.ts'
import { createTokenCache, type TokenCache } from '../providers/tokens.ts'
import { createProfileWatches, type ProfileWatches } from '../routing/watches.ts'
import { createSending, type SendingState } from '../webhooks/delivery/sending.ts'

/**
 * What one process keeps in memory for later requests, and when it ends. A restart may lose all of it. Each
 * context has its own, because several services may run in one process.
 */
export interface NodeState {
  /**
   * Apps with their profiles, API keys, and the owners of profiles. `forgetApp` invalidates an app and all
   * keys: here at once, on other nodes by a notification. Without it an entry expires after
   * `LIMITS.directoryMs`. Owners never change.
   */
  readonly directory: Directory
  /** Fraud policies by app. Invalidated by a change on this node, else expired after `LIMITS.directoryMs`. */
  readonly policies: PolicyCache
  /**
   * Rate limits by API key, app and network, and the secrets that were found. Time refills a bucket. A secret
   * is removed when a read no longer finds it.
   */
  readonly apiLimits: ApiLimits
  /** Recent calls to each profile. The newest replace the oldest; a successful probe removes all. */
  readonly profileWatches: ProfileWatches
  /** Fraud checks in progress, by customer. A customer is removed after the last check. */
  readonly customerQueue: CustomerQueue
  /** Reserved payment ids. The next block is read when all are used. */
  readonly paymentIds: PaymentIds
  /** Payments whose row in `payment_search` is to be written. The writer removes them, every 250 ms. */
  readonly pendingSearch: PendingSearch
  /** Payments shown by open pages of any node, and until when: 45 s after the last announcement. */
  readonly watchedPayments: Map<string, number>
  /** Notifications in progress, by profile and app. Each is released when it ends. */
  readonly notificationShares: Shares
  /** Access tokens, by profile and settings. Renewed a minute before they end, or when refused. */
  readonly accessTokens: TokenCache
  /** Decline codes that an adapter does not know, counted since the start: the first thousand codes. */
  readonly unlistedCodes: Counter
  /** Webhook deliveries in flight. Each is removed when its try ends. */
  readonly sending: SendingState
  /** Sessions of the console. Cleared by a change on this node, else expired after `LIMITS.directoryMs`. */
  readonly sessions: SessionCache
  /** Passwords that are hashed at the moment. Each is removed when it ends. */
  readonly passwordWork: PasswordWork
  /** Log lines that wait to be written, and the share of each app. Written every half second. */
  readonly logs: LogState
  /** Adds calls to providers to those lines. */
  readonly recordCalls: CallRecorder
  /** Connections to the mail server. Closed after ten seconds without a message. */
  readonly mailTransport: MailTransport
  /** Endpoints of the OpenID provider. Read again after an hour. */
  readonly oidcProviders: OidcProviders
}

const MOST_CODES = 1_000

/** The members of the context that the state needs. */
interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly config: Config
  readonly sharedLimits?: SharedLimits
}

export function createNodeState(needs: Needs): NodeState {
  const logs = createLogState(needs)
  return {
    directory: createDirectory(needs),
    policies: createPolicyCache(needs),
    apiLimits: createApiLimits(needs),
    profileWatches: createProfileWatches(),
    customerQueue: createCustomerQueue(),
    paymentIds: createPaymentIds(needs.db),
    pendingSearch: createPendingSearch(),
    watchedPayments: new Map(),
    notificationShares: createShares(LIMITS.notifications),
    accessTokens: createTokenCache(),
    unlistedCodes: createCounter(MOST_CODES),
    sending: createSending(needs.clock),
    sessions: createSessionCache(needs),
    passwordWork: createPasswordWork(),
    oidcProviders: createOidcProviders(needs),
    mailTransport: createMailTransport(needs.config),
    logs,
    recordCalls: createCallRecorder({ logs, log: needs.log }),
  }
}
