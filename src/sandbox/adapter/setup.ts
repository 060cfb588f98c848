import type { HttpReply } from '../../net/http.ts'
import { valueAt } from '../../providers/kit/json.ts'
import type { CardFacts, Confirmation, MethodKind, SetupOutcome } from '../../providers/outcome.ts'
import type { MethodSetup, Operation, ProviderAdapter, ProviderContext } from '../../providers/port.ts'
import type { Refusal } from '../values/behaviour.ts'
import type { SandboxSettings } from './manifest.ts'
import { failure } from './outcomes.ts'

/** A stored method in the bank's JSON. */
interface MethodReply {
  readonly token: string
  readonly method: MethodKind
  readonly status: 'ready' | 'needs-customer' | 'unconfirmed' | 'declined'
  readonly label: string
  readonly fingerprint?: string
  readonly card?: CardFacts
  readonly url?: string
  readonly urlExpires?: string
  readonly decline?: Refusal
}

/** The adapter's HTTP calls to the bank. */
export interface BankCalls {
  post(ctx: Context, op: Pick<Operation, 'key'>, path: string, json: object): Promise<HttpReply>
  call(ctx: Context, method: 'GET' | 'DELETE', path: string): Promise<HttpReply>
}

type Context = ProviderContext<SandboxSettings>
type Adapter = ProviderAdapter<SandboxSettings>

export const setupCalls = ({
  post,
  call,
}: BankCalls): Pick<Adapter, 'setUp' | 'finishSetup' | 'confirm' | 'readStored'> => ({
  async setUp(ctx, newMethod, backUrl) {
    const { method, instrument } = newMethod
    return setupOf(await post(ctx, newMethod, 'stored-methods', { method, instrument, back: backUrl }))
  },
  async finishSetup(ctx, newMethod, handles) {
    const token = handles.method ?? tokenOf(newMethod)
    const setUp = setupOf(await call(ctx, 'GET', `stored-methods/${encodeURIComponent(token)}`))
    return setUp.kind === 'redirect' ? LEFT : setUp
  },
  async readStored(ctx, token) {
    const read = setupOf(await call(ctx, 'GET', `stored-methods/${encodeURIComponent(token)}`))
    const isOpen = read.kind === 'redirect' || read.kind === 'declined'
    return isOpen ? { kind: 'not-done', why: 'not-found' } : read
  },
  async confirm(ctx, token, [first, second]) {
    const path = `stored-methods/${encodeURIComponent(token)}/confirm`
    return confirmationOf(await post(ctx, { key: token }, path, { first, second }))
  },
})

/** The customer came back without storing a method. */
const LEFT: SetupOutcome = {
  kind: 'declined',
  reason: 'customer-cancelled',
  retry: 'after-customer-acts',
  raw: {},
}

/** The bank derives the token from the key, unless a one-time token was used. */
const tokenOf = ({ key }: MethodSetup): string => `met_${key.toLowerCase()}`

function setupOf(reply: HttpReply): SetupOutcome {
  const failed = failure(reply)
  if (failed) return failed
  const finishSetup = methodIn(reply)
  if (!finishSetup) return { kind: 'unknown', why: 'unreadable-reply' }
  const { token, method, label, fingerprint, card } = finishSetup
  const stored = {
    token,
    method,
    label,
    ...(fingerprint ? { fingerprint } : {}),
    ...(card ? { card } : {}),
  }
  switch (finishSetup.status) {
    case 'ready':
      return { kind: 'stored', stored }
    case 'unconfirmed':
      return { kind: 'stored', stored, unconfirmed: true }
    case 'needs-customer':
      return redirectOf(finishSetup)
    case 'declined': {
      const { reason = 'generic', retry = 'unspecified', code, message } = finishSetup.decline ?? {}
      return {
        kind: 'declined',
        reason,
        retry,
        raw: { ...(code ? { code } : {}), ...(message ? { message } : {}) },
      }
    }
  }
}

function redirectOf({ token, url, urlExpires }: MethodReply): SetupOutcome {
  if (!url) return { kind: 'unknown', why: 'unreadable-reply' }
  return {
    kind: 'redirect',
    handles: { method: token },
    url,
    ...(urlExpires ? { expiresAt: new Date(urlExpires) } : {}),
  }
}

function methodIn(reply: HttpReply): MethodReply | undefined {
  const method = reply.kind === 'reply' ? valueAt(reply.body, 'storedMethod') : undefined
  return typeof valueAt(method, 'token') === 'string' ? (method as MethodReply) : undefined
}

function confirmationOf(reply: HttpReply): Confirmation {
  const failed = failure(reply)
  if (failed) return failed
  if (methodIn(reply)?.status === 'ready') return { kind: 'confirmed' }
  const left = reply.kind === 'reply' ? valueAt(reply.body, 'triesLeft') : undefined
  return typeof left === 'number'
    ? { kind: 'wrong', triesLeft: left }
    : { kind: 'unknown', why: 'unreadable-reply' }
}
