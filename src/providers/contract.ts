import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Money, money } from '../base/money.ts'
import type {
  Handles,
  InboundCall,
  MethodKind,
  Operation,
  Outcome,
  ProviderAdapter,
  ProviderContext,
  Purchase,
  ReturnUrls,
  Snapshot,
  Step,
} from './port.ts'

/**
 * What every adapter must do, whatever its provider. A harness says how each case is brought about at one provider;
 * the suite says what must come of it. `docs/guides/add-a-provider.md` shows how to write a harness.
 */
export interface ProviderHarness {
  readonly adapter: ProviderAdapter<unknown>
  readonly urls: ReturnUrls
  context(overrides?: Partial<ProviderContext<unknown>>): ProviderContext<unknown>
  /** Settings that the provider does not accept. */
  readonly wrongSettings: unknown
  /** A one-time token from the provider's own fields. Only for methods with `fields`. */
  instrument(method: MethodKind, behaves: PayerBehaviour): Promise<string>
  /** What the payer does on the page behind a redirect. */
  onPage(method: MethodKind, url: string, behaves: PayerBehaviour): Promise<void>
  /** The next call of this step is carried out and its answer lost. */
  loseNextReply(step: Step): Promise<void>
  /** Time passes until what was pending has ended. */
  waitUntilSettled(): Promise<void>
  /** How often the provider really moved money of one kind under a reference; undefined where it cannot be known. */
  movements(reference: string, kind: 'authorise' | 'capture' | 'void' | 'refund'): Promise<number | undefined>
  /** Lets the provider send what it has to say, and gives what it has sent about a reference. */
  notifications(reference: string): Promise<readonly InboundCall[]>
  /** Texts that must never be written down: keys, card numbers, security codes. */
  readonly secrets: readonly string[]
  /** Everything logged, and every row kept, since the start. */
  writtenDown(): Promise<string>
  close(): Promise<void>
}

export type PayerBehaviour = 'approves' | 'declines'

export function describeProvider(name: string, open: () => Promise<ProviderHarness>): void {
  describe(`the ${name} adapter keeps the provider contract`, () => {
    let harness: ProviderHarness
    beforeAll(async () => {
      harness = await open()
    })
    afterAll(() => harness.close())

    const suite: Suite = { harness: () => harness }
    describeManifest(suite)
    for (const method of ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'] as const)
      describeMethod(suite, method)
    describeNotifications(suite)
    it('writes no secret to any log or row', async () => {
      const text = await harness.writtenDown()
      for (const secret of harness.secrets) expect(text).not.toContain(secret)
    })
  })
}

interface Suite {
  harness(): ProviderHarness
}

function describeManifest({ harness }: Suite): void {
  it('tells right settings from wrong ones with a harmless read', async () => {
    const { adapter, context, wrongSettings } = harness()
    expect(await adapter.check(context())).toEqual({ ok: true })
    expect(await adapter.check(context({ config: wrongSettings }))).toMatchObject({ ok: false })
  })

  it('answers wrong settings with not-done bad-credentials', async () => {
    const { adapter, context, wrongSettings, urls } = harness()
    const method = someMethod(harness())
    const outcome = await adapter.start(
      context({ config: wrongSettings }),
      operation('start'),
      purchase({ method }),
      urls,
    )
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'bad-credentials' })
  })

  it('finds nothing under a reference it never saw, conclusively where it looks up by reference', async () => {
    const { adapter, context } = harness()
    const sight = await adapter.retrieve(context(), operation('start').reference, {})
    const conclusive = adapter.manifest.retrieve === 'by-reference'
    expect(sight).toEqual({ kind: 'absent', conclusive })
  })

  it('answers not-done when the provider cannot be reached', async () => {
    const { adapter, context } = harness()
    const away = context({ http: { call: async () => ({ kind: 'not-sent', cause: 'ECONNREFUSED' }) } })
    expect(await adapter.cancel(away, operation('cancel'), { payment: 'x' })).toMatchObject({
      kind: 'not-done',
      why: 'not-sent',
    })
  })
}

function describeMethod(suite: Suite, method: MethodKind): void {
  const { harness } = suite
  const abilities = () => harness().adapter.manifest.methods[method]
  // The manifest is known only once the harness is open, so each test asks it first.
  const when = (condition: () => boolean | undefined, sentence: string, test: () => Promise<void>) =>
    it(sentence, async (context) => {
      if (!condition()) return context.skip()
      await test()
    })

  describe(method, () => {
    when(
      () => abilities() !== undefined,
      'approves, and a lookup agrees with the result in currencies of 0, 2 and 3 decimals',
      async () => {
        for (const amount of [money(500n, 'JPY'), money(12_345n, 'EUR'), money(12_345n, 'KWD')]) {
          if (!takes(harness(), amount.currency)) continue
          const paid = await pay(harness(), { method, amount })
          const seen = await see(harness(), paid)
          const { authoriseOnly } = abilities() ?? { authoriseOnly: false }
          expect(seen.stage).toBe(authoriseOnly ? 'authorised' : 'captured')
          expect(authoriseOnly ? seen.authorised : seen.captured).toEqual(amount)
          expect(seen.facts.method).toBe(method)
          const byReference = await harness().adapter.retrieve(harness().context(), paid.reference, {})
          if (harness().adapter.manifest.retrieve === 'by-reference') expect(byReference).toEqual(seen)
        }
      },
    )

    when(
      () => abilities() !== undefined,
      'declines with a reason, and a lookup says the same',
      async () => {
        const paid = await pay(harness(), { method }, 'declines')
        const seen = await see(harness(), paid)
        expect(seen.stage).toBe('declined')
        expect(seen.decline?.reason).toBeTypeOf('string')
        if (paid.outcome.kind === 'declined') expect(seen.decline?.reason).toBe(paid.outcome.reason)
      },
    )

    when(
      () => abilities()?.fields,
      'makes one payment of one key, however often it is sent',
      async () => {
        const { adapter, context, urls } = harness()
        const op = operation('start')
        const bought = purchase({ method, instrument: await harness().instrument(method, 'approves') })
        const outcomes = await Promise.all([1, 2, 3].map(() => adapter.start(context(), op, bought, urls)))
        expect(outcomes[1]).toEqual(outcomes[0])
        expect(outcomes[2]).toEqual(outcomes[0])
        expect((await harness().movements(op.reference, 'authorise')) ?? 1).toBe(1)
      },
    )

    when(
      () => abilities()?.fields,
      'calls a payment unknown whose answer was lost, and a lookup finds what happened',
      async () => {
        const { adapter, context, urls } = harness()
        const op = operation('start')
        const bought = purchase({ method, instrument: await harness().instrument(method, 'approves') })
        await harness().loseNextReply('start')
        expect((await adapter.start(context(), op, bought, urls)).kind).toBe('unknown')
        expect(await adapter.retrieve(context(), op.reference, {})).toMatchObject({ kind: 'snapshot' })
        expect((await adapter.start(context(), op, bought, urls)).kind).toMatch(/approved|pending/)
        expect((await harness().movements(op.reference, 'authorise')) ?? 1).toBe(1)
      },
    )

    when(
      () => abilities()?.fields === false,
      'answers unsupported to a token of a method paid on the page only',
      async () => {
        const { adapter, context, urls } = harness()
        const bought = purchase({ method, instrument: 'a-token' })
        expect(await adapter.start(context(), operation('start'), bought, urls)).toMatchObject({
          kind: 'not-done',
          why: 'unsupported',
        })
      },
    )

    describeCapture(suite, method, when)
    describeRefund(suite, method, when)
    describeStoring(suite, method, when)
  })
}

type When = (condition: () => boolean | undefined, sentence: string, test: () => Promise<void>) => void

function describeCapture({ harness }: Suite, method: MethodKind, when: When): void {
  const abilities = () => harness().adapter.manifest.methods[method]

  when(
    () => abilities()?.authoriseOnly,
    'captures once, and a lookup shows it with the fee',
    async () => {
      const { adapter, context } = harness()
      const paid = await pay(harness(), { method })
      const op = operation('capture', paid.reference)
      const outcome = await adapter.capture(context(), op, paid.handles, paid.amount)
      expect(outcome.kind).toBe('approved')
      expect(await adapter.capture(context(), op, paid.handles, paid.amount)).toEqual(outcome)
      expect(await see(harness(), paid)).toMatchObject({ stage: 'captured', captured: paid.amount })
      expect((await harness().movements(paid.reference, 'capture')) ?? 1).toBe(1)
    },
  )

  when(
    () => abilities()?.authoriseOnly,
    'calls a capture unknown whose answer was lost, and a lookup finds it done',
    async () => {
      const { adapter, context } = harness()
      const paid = await pay(harness(), { method })
      const op = operation('capture', paid.reference)
      await harness().loseNextReply('capture')
      expect((await adapter.capture(context(), op, paid.handles, paid.amount)).kind).toBe('unknown')
      expect((await see(harness(), paid)).captured).toEqual(paid.amount)
      expect((await adapter.capture(context(), op, paid.handles, paid.amount)).kind).toBe('approved')
      expect((await harness().movements(paid.reference, 'capture')) ?? 1).toBe(1)
    },
  )

  when(
    () => abilities()?.partialCapture,
    'captures a part, never more than was authorised',
    async () => {
      const { adapter, context } = harness()
      const paid = await pay(harness(), { method })
      const more = money(paid.amount.minor + 1n, paid.amount.currency)
      const refused = await adapter.capture(
        context(),
        operation('capture', paid.reference),
        paid.handles,
        more,
      )
      expect(refused.kind).toMatch(/not-done|declined/)
      const part = money(paid.amount.minor - 1n, paid.amount.currency)
      const op = operation('capture', paid.reference)
      expect((await adapter.capture(context(), op, paid.handles, part)).kind).toBe('approved')
      expect((await see(harness(), paid)).captured).toEqual(part)
    },
  )

  when(
    () => abilities()?.authoriseOnly,
    'cancels an authorisation, which can then not be captured',
    async () => {
      const { adapter, context } = harness()
      const paid = await pay(harness(), { method })
      const outcome = await adapter.cancel(context(), operation('cancel', paid.reference), paid.handles)
      expect(outcome.kind).toBe('approved')
      expect((await see(harness(), paid)).stage).toBe('cancelled')
      const late = await adapter.capture(
        context(),
        operation('capture', paid.reference),
        paid.handles,
        paid.amount,
      )
      expect(late).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    },
  )

  when(
    () => abilities() !== undefined && !abilities()?.fields,
    'closes a page that nobody has paid on',
    async () => {
      const { adapter, context, urls } = harness()
      const op = operation('start')
      const opened = await adapter.start(context(), op, purchase({ method }), urls)
      if (opened.kind !== 'redirect') throw new Error(`expected a redirect, not ${opened.kind}`)
      const outcome = await adapter.cancel(context(), operation('cancel', op.reference), opened.handles)
      expect(outcome.kind).toBe('approved')
    },
  )
}

function describeRefund({ harness }: Suite, method: MethodKind, when: When): void {
  const abilities = () => harness().adapter.manifest.methods[method]

  when(
    () => abilities()?.partialRefund,
    'refunds in parts, each key once, never more than was captured',
    async () => {
      const { adapter, context } = harness()
      const paid = await payAndCapture(harness(), method)
      const part = money(paid.amount.minor / 2n, paid.amount.currency)
      const first = operation('refund', paid.reference)
      expect((await adapter.refund(context(), first, paid.handles, part)).kind).toMatch(/approved|pending/)
      await adapter.refund(context(), first, paid.handles, part)
      const rest = operation('refund', paid.reference)
      await adapter.refund(
        context(),
        rest,
        paid.handles,
        money(paid.amount.minor - part.minor, part.currency),
      )
      const more = await adapter.refund(context(), operation('refund', paid.reference), paid.handles, part)
      expect(more.kind).toMatch(/not-done|declined/)
      await harness().waitUntilSettled()
      const seen = await see(harness(), paid)
      expect(seen.refunded).toEqual(paid.amount)
      expect(seen.refunds.map((refund) => refund.operationKey)).toEqual([first.key, rest.key])
      expect((await harness().movements(paid.reference, 'refund')) ?? 2).toBe(2)
    },
  )

  when(
    () => abilities()?.refund === false,
    'answers unsupported to a refund',
    async () => {
      const { adapter, context } = harness()
      const paid = await payAndCapture(harness(), method)
      const outcome = await adapter.refund(
        context(),
        operation('refund', paid.reference),
        paid.handles,
        paid.amount,
      )
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    },
  )
}

function describeStoring({ harness }: Suite, method: MethodKind, when: When): void {
  const abilities = () => harness().adapter.manifest.methods[method]
  const stored = async () => {
    const paid = await pay(harness(), { method, storeMethod: true })
    const { facts } = await see(harness(), paid)
    return facts.stored
  }

  when(
    () => abilities()?.chargeStored,
    'stores a method and charges it without the customer, once for each key',
    async () => {
      const { adapter, context } = harness()
      const kept = await stored()
      if (!kept) throw new Error('nothing was stored')
      const op = operation('charge')
      const outcome = await adapter.charge(context(), op, purchase({ method }), kept.token)
      expect(outcome.kind).toMatch(/approved|pending/)
      expect(await adapter.charge(context(), op, purchase({ method }), kept.token)).toEqual(outcome)
      expect((await harness().movements(op.reference, 'authorise')) ?? 1).toBe(1)
    },
  )

  when(
    () => abilities()?.chargeStored,
    'charges a forgotten method no more',
    async () => {
      const { adapter, context } = harness()
      const kept = await stored()
      if (!kept) throw new Error('nothing was stored')
      expect(await adapter.forget(context(), kept.token)).toEqual({ kind: 'done' })
      const outcome = await adapter.charge(context(), operation('charge'), purchase({ method }), kept.token)
      expect(outcome.kind).toMatch(/declined|not-done/)
    },
  )

  when(
    () => abilities()?.storeMethod === false,
    'answers unsupported when asked to store',
    async () => {
      const { adapter, context, urls } = harness()
      const bought = purchase({ method, storeMethod: true })
      const outcome = await adapter.start(context(), operation('start'), bought, urls)
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    },
  )
}

function describeNotifications({ harness }: Suite): void {
  it('believes a right notification, also when it comes again, and no changed one', async () => {
    const { adapter, context } = harness()
    const paid = await pay(harness(), { method: someMethod(harness()) })
    const [call] = await harness().notifications(paid.reference)
    if (!call) throw new Error('the provider sent no notification')
    const events = { kind: 'events', references: [paid.reference] }
    expect(await adapter.receive(context(), call)).toEqual(events)
    expect(await adapter.receive(context(), call)).toEqual(events)
    const changed = Buffer.from(call.rawBody)
    changed[changed.length - 2] = (changed[changed.length - 2] ?? 0) ^ 1
    expect(await adapter.receive(context(), { ...call, rawBody: changed })).toEqual({ kind: 'forged' })
    expect(await adapter.receive(context(), { ...call, headers: {} })).toEqual({ kind: 'forged' })
    const garbage = { ...call, rawBody: Buffer.from('{') }
    expect(await adapter.receive(context(), garbage)).toEqual({ kind: 'forged' })
  })
}

// ---- doing what the core does -----------------------------------------------------------------------------------

let keys = 0
const operation = (step: Step, reference?: string): Operation => {
  const key = `C${(++keys).toString(36).toUpperCase().padStart(19, '0')}`
  return { key, step, reference: reference ?? key, sending: 1, createdAt: new Date(0) }
}

const purchase = (overrides: Partial<Purchase>): Purchase => ({
  amount: money(1_050n, 'EUR'),
  autoCapture: true,
  storeMethod: false,
  method: 'CreditCard',
  customer: { id: 'contract-customer', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...overrides,
})

const takes = ({ adapter }: ProviderHarness, currency: string): boolean =>
  adapter.manifest.currencies === 'any' || adapter.manifest.currencies.includes(currency)

function someMethod({ adapter }: ProviderHarness): MethodKind {
  const [method] = Object.keys(adapter.manifest.methods)
  return method as MethodKind
}

interface Paid {
  readonly reference: string
  readonly handles: Handles
  readonly amount: Money
  readonly outcome: Outcome
}

/** A payment brought to its end, by fields where there are any, else on the page; resumed where that is needed. */
async function pay(
  harness: ProviderHarness,
  wanted: Partial<Purchase> & { method: MethodKind },
  behaves: PayerBehaviour = 'approves',
): Promise<Paid> {
  const { adapter, context, urls } = harness
  const abilities = adapter.manifest.methods[wanted.method]
  const instrument = abilities?.fields ? await harness.instrument(wanted.method, behaves) : undefined
  const bought = purchase({ ...wanted, ...(instrument ? { instrument } : {}) })
  const op = operation('start')
  let outcome = await adapter.start(context(), op, bought, urls)
  if (outcome.kind === 'redirect') {
    const { handles, url } = outcome
    await harness.onPage(wanted.method, url, behaves)
    const seen = await adapter.retrieve(context(), op.reference, handles)
    if (seen.kind === 'snapshot' && seen.stage === 'approved')
      outcome = await adapter.resume(context(), operation('resume', op.reference), bought, handles)
  }
  if (outcome.kind === 'pending') await harness.waitUntilSettled()
  const handles = 'handles' in outcome ? (outcome.handles ?? {}) : {}
  return { reference: op.reference, handles, amount: bought.amount, outcome }
}

async function payAndCapture(harness: ProviderHarness, method: MethodKind): Promise<Paid> {
  const paid = await pay(harness, { method })
  if (!harness.adapter.manifest.methods[method]?.authoriseOnly) return paid
  const op = operation('capture', paid.reference)
  await harness.adapter.capture(harness.context(), op, paid.handles, paid.amount)
  return paid
}

async function see(harness: ProviderHarness, { reference, handles }: Paid): Promise<Snapshot> {
  const sight = await harness.adapter.retrieve(harness.context(), reference, handles)
  if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
  return sight
}
