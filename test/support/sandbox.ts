import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { newOperationKey, randomText, systemRandom } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { money } from '../../src/base/money.ts'
import { createVault } from '../../src/base/secret.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { createHttp, type Http } from '../../src/net/http.ts'
import type { MethodKind, Outcome, Snapshot } from '../../src/providers/outcome.ts'
import type { InboundCall, Operation, ProviderContext, Purchase, Step } from '../../src/providers/port.ts'
import { createTokenCache } from '../../src/providers/tokens.ts'
import type { SandboxSettings } from '../../src/sandbox/adapter/manifest.ts'
import {
  type Browser,
  type CardInput,
  passChallenge,
  tokeniseBankAccount,
  tokeniseCard,
} from '../../src/sandbox/helpers/browser.ts'
import { choiceFor } from '../../src/sandbox/helpers/choices.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { createFakeClock, type FakeClock } from './clock.ts'
import { createDatabase, PATIENCE } from './database.ts'

export interface SandboxWorld {
  readonly sandbox: Sandbox
  readonly db: Database
  readonly databaseUrl: string
  readonly clock: FakeClock
  readonly http: Http
  readonly logs: string[]
  readonly browser: Browser
  readonly notifyUrl: string
  /** Every notification the bank has sent, in order of arrival. */
  readonly inbox: InboundCall[]
  /** What the receiver of notifications answers. */
  inboxStatus: number
  close(): Promise<void>
}

const VAULT = createVault(['a secret key for tests only, 32 characters and more'], systemRandom)

/** A bank on a database of its own, with time that moves only when told to; `sharing` makes a second node. */
export async function sandboxWorld(sharing?: SandboxWorld): Promise<SandboxWorld> {
  const databaseUrl =
    sharing?.databaseUrl ??
    (await createDatabase(inject('databaseUrl'), `bank_${randomText(systemRandom, 12)}`, 'template'))
  const logs: string[] = []
  const log = textLog(logs)
  const clock = sharing?.clock ?? createFakeClock()
  const db = openDatabase({ url: databaseUrl, size: 4, patience: PATIENCE })
  const http = createHttp(log)
  const sandbox = createSandbox({
    db,
    clock,
    random: systemRandom,
    log,
    vault: VAULT,
    publicUrl: 'http://tender.test',
  })
  await sandbox.bank.start()
  const inbox: InboundCall[] = []
  const world = { sandbox, db, databaseUrl, clock, http, logs, inbox, inboxStatus: 200 }
  const receiver = await startReceiver(world)
  const { port } = receiver.address() as AddressInfo
  return Object.assign(world, {
    browser: sandbox.browser(http),
    notifyUrl: `http://127.0.0.1:${port}/api/provider-webhook?profileId=1`,
    async close() {
      await http.close()
      await sandbox.bank.stop()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
      await db.close()
    },
  })
}

function textLog(logs: string[]): Log {
  const line = (event: string, data: object = {}) => void logs.push(`${event} ${JSON.stringify(data)}`)
  return { debug: line, info: line, warn: line, error: line }
}

async function startReceiver(world: { inbox: InboundCall[]; inboxStatus: number }): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    world.inbox.push({ headers, rawBody: Buffer.concat(chunks), url: request.url ?? '' })
    response.writeHead(world.inboxStatus).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** One merchant of the bank, with the shortest words for what a test does. */
export function merchant(world: SandboxWorld, appId = `app_${randomText(systemRandom, 12)}`) {
  const { sandbox, http, browser, notifyUrl } = world
  const settings = sandbox.openAccount(appId)
  const context = (
    overrides: Partial<ProviderContext<SandboxSettings>> = {},
  ): ProviderContext<SandboxSettings> => ({
    config: settings,
    sandbox: true,
    origin: '',
    tokens: createTokenCache().of('', () => world.clock.now()),
    http,
    now: () => world.clock.now(),
    signal: new AbortController().signal,
    notifyUrl,
    ...overrides,
  })
  const operation = (step: Step, reference?: string): Operation => {
    const key = newOperationKey(systemRandom)
    return { key, step, reference: reference ?? key, sending: 1, createdAt: world.clock.now() }
  }
  const backUrl = 'http://shop.test/back'
  const publishableKey = sandbox.publishableKey(appId)
  return {
    appId,
    settings,
    context,
    operation,
    backUrl,
    publishableKey,
    control: sandbox.control(http, appId),
    /** A one-time token of a customer with this outcome. */
    async token(method: MethodKind, outcome = 'approved'): Promise<string> {
      const choice = choiceFor(method, outcome, world.clock.now())
      if (choice?.kind === 'card') return taken(await tokeniseCard(browser, publishableKey, choice.card))
      if (choice?.kind === 'bank-account')
        return taken(await tokeniseBankAccount(browser, publishableKey, choice.bankAccount))
      throw new Error(`no token for ${method} ${outcome}`)
    },
  }
}

export type Merchant = ReturnType<typeof merchant>

function taken(result: Awaited<ReturnType<typeof tokeniseCard>>): string {
  if (result.kind !== 'ok') throw new Error(`no token: ${JSON.stringify(result)}`)
  return result.token
}

export const purchase = (overrides: Partial<Purchase> = {}): Purchase => ({
  amount: money(1_000n, 'EUR'),
  sale: false,
  storeMethod: false,
  method: 'CreditCard',
  customerPresent: true,
  backUrl: 'http://shop.test/back',
  customer: { id: 'customer-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...overrides,
})

export const TYPED: CardInput = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2029, cvc: '123' }

/** What a merchant's payments come to, in one call each. */
export function till(world: SandboxWorld, shop: Merchant) {
  const { adapter } = world.sandbox
  async function start(wanted: Partial<Purchase>): Promise<{ reference: string; outcome: Outcome }> {
    const op = shop.operation('start')
    const outcome = await adapter.start(shop.context(), op, purchase(wanted))
    return { reference: op.reference, outcome }
  }
  async function payWith(card: Partial<CardInput>, wanted: Partial<Purchase> = {}) {
    const token = await tokeniseCard(world.browser, shop.publishableKey, { ...TYPED, ...card })
    return start({ instrument: taken(token), ...wanted })
  }
  async function see(reference: string): Promise<Snapshot> {
    const sight = await adapter.retrieve(shop.context(), reference, {})
    if (sight.kind !== 'snapshot') throw new Error(`no payment: ${JSON.stringify(sight)}`)
    return sight
  }
  return {
    start,
    payWith,
    see,
    /** The page that a payment without a token opens. */
    async open(method: MethodKind) {
      const { reference, outcome } = await start({ method })
      if (outcome.kind !== 'redirect') throw new Error(`no page but ${outcome.kind}`)
      return { reference, handles: outcome.handles, url: outcome.url }
    },
    capture: (reference: string, minor = 1_000n) =>
      adapter.capture(shop.context(), shop.operation('capture', reference), {}, money(minor, 'EUR')),
    refund: (reference: string, minor = 1_000n) =>
      adapter.refund(shop.context(), shop.operation('refund', reference), {}, money(minor, 'EUR')),
    /** The token of a card stored by a payment with it. */
    async stored(number = TYPED.number): Promise<string> {
      const { reference, outcome } = await payWith({ number }, { storeMethod: true })
      if (outcome.kind === 'redirect') await passChallenge(world.browser, outcome.url)
      const { facts } = await see(reference)
      if (!facts.stored) throw new Error('nothing was stored')
      return facts.stored.token
    },
    async charge(token: string, minor = 1_000n, magicAmounts = false) {
      const context = shop.context({ config: { ...shop.settings, magicAmounts } })
      const op = shop.operation('charge')
      const outcome = await adapter.charge(context, op, purchase({ amount: money(minor, 'EUR') }), token)
      return { reference: op.reference, outcome }
    },
  }
}
