import { agreement } from './agree.ts'
import { type Checking, parsed, problemsOf } from './checks.ts'
import { readDocument } from './document.ts'
import { startHooks } from './hooks.ts'
import { operationRequest } from './make/operations.ts'
import { requestPage } from './make/pages.ts'
import { faultStory, fraudStory, webhookStory } from './make/shops.ts'
import { type Calls, callsOf, lifeStory, payerStory, recurringStory, repeatStory } from './make/stories.ts'
import { shrunk } from './shrink.ts'
import { exchange, type FuzzAnswer } from './wire/exchange.ts'
import { curlLine, encode, type FuzzRequest } from './wire/request.ts'
import {
  collectIds,
  createWorld,
  type Merchant,
  newMerchant,
  type Send,
  type Sent,
  type World,
} from './world.ts'

export interface FuzzOptions {
  readonly url: string
  readonly databaseUrl: string
  readonly operatorToken: string
  /** Texts that no response may contain. */
  readonly secrets: readonly string[]
  readonly seed: number
  readonly requests: number
  /** Called after every `progressEvery` requests. */
  readonly onProgress?: (tally: Tally) => void
  readonly progressEvery?: number
  /** Called once, when caches are full. */
  readonly onWarm?: () => Promise<void>
}

export interface Tally {
  readonly sent: number
  /** Counts by the first digit of the status; 0 for no response. */
  readonly answers: Readonly<Record<string, number>>
  readonly failures: number
}

export interface Failure {
  /** The number of the request in the run. */
  readonly number: number
  readonly what: string
  readonly problem: string
  readonly status: number
  readonly answer: string
  readonly requestId: string | undefined
  readonly curl: string
}

export interface FuzzResult extends Tally {
  readonly failures: number
  readonly found: readonly Failure[]
  /** Differences between payments, responses and the bank's ledger. */
  readonly disagreements: readonly string[]
  readonly payments: number
  /** Operations without a successful response. */
  readonly missed: readonly string[]
  readonly operations: number
}

/** A new merchant is used after this many requests, so that old settings do not accumulate. */
const MERCHANT_REQUESTS = 500
const MAX_FOUND = 40
/** Maximum number of examples of the same problem, each for another operation. */
const MAX_PER_PROBLEM = 6
/** The share of the requests after which caches are full and code is compiled. */
const WARM = 0.25

/** Sends seeded requests in sequence and returns the problems of the responses. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const document = readDocument(await (await fetch(`${options.url}/openapi.json`)).json())
  const hooks = await startHooks()
  try {
    const run = await createRun(options, { document, hooks: hooks.url })
    const { world, state } = run
    let isWarm = false
    while (state.sent < options.requests) {
      if (state.sent >= (run.merchants.length - 1) * MERCHANT_REQUESTS) await run.renew()
      await step(world, run.send, (problem) => run.note(problem))
      if (!isWarm && state.sent >= options.requests * WARM) {
        isWarm = true
        await options.onWarm?.()
      }
    }
    const { databaseUrl, url } = options
    const shops = run.merchants.map(({ sandbox }) => sandbox)
    const { disagreements, payments } = await agreement({ url, databaseUrl, shops, seen: state.seen })
    const { operations } = document
    return {
      ...run.tally(),
      found: state.found,
      disagreements,
      payments,
      missed: operations.map(({ id }) => id).filter((id) => !state.reached.has(id)),
      operations: operations.length,
    }
  } finally {
    await hooks.stop()
  }
}

/** Runs one story, one page request or one operation request. */
async function step(world: World, send: Send, fail: (problem: string) => void): Promise<void> {
  const { dice, document } = world
  const calls: Calls = callsOf(world, send, fail)
  const which = dice.below(100)
  if (which < 8) return lifeStory(world, calls)
  if (which < 10) return recurringStory(world, calls)
  if (which < 11) return repeatStory(world, calls)
  if (which < 13) return payerStory(world, calls, send)
  if (which < 14) return fraudStory(world, calls)
  if (which < 15) return webhookStory(world, calls)
  if (which < 16) return faultStory(world, calls)
  if (which < 26) return requestPage(world, send)
  await send(operationRequest(world, dice.pick(document.operations.filter(isDrawn))))
}

/** Afterwards there would be no payments to compare; it has tests of its own. */
const isDrawn = ({ path }: { readonly path: string }): boolean => !path.endsWith('/clear-all')

interface State {
  sent: number
  failures: number
  readonly answers: Record<string, number>
  readonly found: Failure[]
  readonly reached: Set<string>
  /** The last response with each payment. */
  readonly seen: Map<string, object>
}

type RunContext = Pick<World, 'document' | 'hooks'>

async function createRun(options: FuzzOptions, { document, hooks }: RunContext) {
  const { url, operatorToken, seed, secrets, onProgress, progressEvery = 1_000 } = options
  const merchants: Merchant[] = []
  const addMerchant = async () => {
    const merchant = await newMerchant(url, operatorToken)
    merchants.push(merchant)
    return merchant
  }
  const world = createWorld({
    seed,
    document,
    operatorToken,
    hooks,
    url,
    merchants: [await addMerchant(), await addMerchant()],
  })
  const state: State = { sent: 0, failures: 0, answers: {}, found: [], reached: new Set(), seen: new Map() }
  const checking: Checking = { document, secrets }
  const port = Number(new URL(url).port)
  const transmit = (request: FuzzRequest) => transmitTo(port, request, ++transmissions)
  let transmissions = 0
  let last: { sent: Sent; answer: FuzzAnswer } | undefined

  const tally = (): Tally & { failures: number } => ({
    sent: state.sent,
    answers: { ...state.answers },
    failures: state.failures,
  })

  const note = async (problem: string, reproduces?: Reproduces): Promise<void> => {
    state.failures++
    if (last) await addFailure(state, world, { ...last, problem, reproduces })
  }

  const send: Send = async (sent) => {
    const answer = await transmit(sent.request)
    last = { sent, answer }
    state.sent++
    const kind = `${Math.floor(answer.status / 100)}xx`
    state.answers[kind] = (state.answers[kind] ?? 0) + 1
    for (const problem of problemsOf(checking, sent, answer))
      await note(problem, async (request) =>
        problemsOf(checking, { ...sent, request }, await transmit(request)).includes(problem),
      )
    remember(world, state, sent, answer)
    if (state.sent % progressEvery === 0) onProgress?.(tally())
    return answer
  }

  return {
    ...{ world, state, send, tally, merchants },
    note: (problem: string) => void note(problem),
    async renew() {
      world.otherMerchant = world.merchant
      world.merchant = await addMerchant()
    },
  }
}

type Reproduces = (request: FuzzRequest) => Promise<boolean>

interface NewFailure {
  readonly sent: Sent
  readonly answer: FuzzAnswer
  readonly problem: string
  /** Whether a smaller request fails in the same way. */
  readonly reproduces: Reproduces | undefined
}

async function addFailure(
  state: State,
  world: World,
  { sent, answer, problem, reproduces }: NewFailure,
): Promise<void> {
  const same = state.found.filter((known) => known.problem === problem)
  const isKnown = same.length >= MAX_PER_PROBLEM || same.some((known) => known.what === sent.what)
  if (isKnown || state.found.length >= MAX_FOUND) return
  const number = state.sent
  const smallest = reproduces ? await shrunk(sent.request, reproduces) : sent.request
  const { appId: APP, apiKey: KEY } = world.merchant.sandbox
  state.found.push({
    ...{ number, what: sent.what, problem, status: answer.status, answer: answer.text.slice(0, 400) },
    requestId: answer.headers.get('x-request-id'),
    curl: curlLine(smallest, { KEY, APP }),
  })
}

/** A different local address per request, because limits apply per address. Only Linux allows this. */
const addressOf = (count: number): string | undefined =>
  process.platform === 'linux'
    ? `127.0.${1 + (Math.floor(count / 250) % 250)}.${1 + (count % 250)}`
    : undefined

function transmitTo(port: number, request: FuzzRequest, count: number): Promise<FuzzAnswer> {
  const localAddress = addressOf(count)
  return exchange({
    port,
    bytes: encode(request, `127.0.0.1:${port}`),
    isHead: request.method === 'HEAD',
    isBroken: request.raw !== undefined,
    ...(localAddress ? { localAddress } : {}),
  })
}

/** Stores the ids, the reached operation and the last response with each payment. */
function remember(world: World, { reached, seen }: State, sent: Sent, answer: FuzzAnswer): void {
  const { status, text, headers } = answer
  if (status < 200 || status >= 300) return
  if (sent.operationId) reached.add(sent.operationId)
  if (!headers.get('content-type')?.startsWith('application/json')) return
  const value = parsed(text)
  const operation = world.document.operations.find(({ id }) => id === sent.operationId)
  collectIds(world, value)
  if (operation?.responses.get(status)?.schemaName !== 'Payment') return
  const { paymentId } = value as { paymentId: number }
  const appId = /^\/api\/apps\/([^/]+)\//.exec(sent.request.path)?.[1]
  // A replayed response shows an earlier state.
  if (!headers.has('idempotent-replayed')) seen.set(`${appId} ${paymentId}`, value as object)
}
