import type { Answer } from '../../support/tender.ts'
import {
  act,
  chargeStored,
  chooseProvider,
  comeBack,
  customerWithMethod,
  deliverNotifications,
  openAgain,
  openCheckout,
  openProviderPage,
  pageOf,
  payThere,
  settle,
} from './flows.ts'
import type { Subject, World } from './world.ts'

/** One step of a payment, what comes before it and what follows. A request fails during the step. */
export interface Step {
  readonly name: string
  before(world: World): Promise<Answer>
  /** The request that is made while the fault is armed. Returns the payment. */
  during(world: World, payment: Answer): Promise<Answer>
  /** What the customer does afterwards. */
  after?(world: World, payment: Answer): Promise<Answer>
  /** Members of the payment at the end. */
  readonly ends: object
  /** How many payments at the provider the payment has. One, if absent. */
  readonly parts?: number
  /** After a fault, the attempt may also end without any money. */
  readonly mayEnd?: boolean
}

const same = async (world: World, payment: Answer, doing: Promise<unknown>): Promise<Answer> => {
  await doing
  return world.app.read(payment.paymentId)
}

/** The customer pays on the page. If the attempt did not reach the provider, another one is made first. */
async function payOnPage(
  world: World,
  payment: Answer,
  again: (world: World, payment: Answer) => Promise<unknown>,
): Promise<Answer> {
  if (!(await pageOf(world, payment))) await again(world, payment)
  await payThere(world, payment)
  await comeBack(world, payment)
  return settle(world, payment)
}

async function paid(world: World, more: object = {}): Promise<Answer> {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  await comeBack(world, payment)
  return settle(world, payment)
}

const unreturned = async (world: World, more: object = {}): Promise<Answer> => {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  return payment
}

/** A gift card pays a part of the page, and a card the rest. */
async function paidInParts(world: World): Promise<Answer> {
  const payment = await openProviderPage(world)
  await payThere(world, payment, { kind: 'pay-part', percent: 40 })
  await payThere(world, payment)
  await comeBack(world, payment)
  return settle(world, payment)
}

const RESERVED = { autoCapture: false }
const CAPTURED = { paymentState: 'Captured', capturedAmount: 25.5, refundedAmount: 0 }
const CANCELLED = { paymentState: 'Failed', capturedAmount: 0, refundedAmount: 0 }

const acting = (action: string) => (world: World, payment: Answer) => act(world, payment, action)

const OF_ALL: readonly Step[] = [
  {
    name: "opening the provider's page",
    before: async () => undefined,
    during: (world) => openProviderPage(world),
    after: (world, payment) => payOnPage(world, payment, openAgain),
    ends: CAPTURED,
  },
  {
    name: 'choosing the provider on our checkout',
    before: openCheckout,
    during: (world, payment) => same(world, payment, chooseProvider(world, payment)),
    after: (world, payment) => payOnPage(world, payment, chooseProvider),
    ends: CAPTURED,
  },
  {
    name: "coming back from the provider's page",
    before: (world) => unreturned(world),
    during: (world, payment) => same(world, payment, comeBack(world, payment)),
    ends: CAPTURED,
  },
  {
    name: 'a notification of the payment',
    before: (world) => unreturned(world),
    during: (world, payment) => same(world, payment, deliverNotifications(world)),
    ends: CAPTURED,
  },
  {
    name: 'cancelling an unpaid page',
    before: (world) => openProviderPage(world),
    during: acting('cancel'),
    ends: CANCELLED,
  },
  {
    name: 'a refund',
    before: (world) => paid(world),
    during: acting('refund'),
    ends: { paymentState: 'Refunded', capturedAmount: 25.5, refundedAmount: 25.5 },
  },
  {
    name: 'a refund in part',
    before: (world) => paid(world),
    during: acting('refund?amount=5.25'),
    ends: { paymentState: 'Captured', capturedAmount: 25.5, refundedAmount: 5.25 },
  },
]

const OF_AUTHORISING: readonly Step[] = [
  {
    name: 'coming back with a reservation',
    before: (world) => unreturned(world, RESERVED),
    during: (world, payment) => same(world, payment, comeBack(world, payment)),
    ends: { paymentState: 'Authorized', capturedAmount: 0, refundedAmount: 0 },
  },
  {
    name: 'a capture',
    before: (world) => paid(world, RESERVED),
    during: acting('capture'),
    ends: CAPTURED,
  },
  {
    name: 'a capture in part',
    before: (world) => paid(world, RESERVED),
    during: acting('capture?amount=10'),
    ends: { paymentState: 'Captured', capturedAmount: 10, refundedAmount: 0 },
  },
  {
    name: 'cancelling a reservation',
    before: (world) => paid(world, RESERVED),
    during: acting('cancel'),
    ends: CANCELLED,
  },
]

const OF_PARTS: readonly Step[] = [
  {
    name: 'a refund of a page that was paid in parts',
    parts: 2,
    before: paidInParts,
    during: acting('refund'),
    ends: { paymentState: 'Refunded', capturedAmount: 25.5, refundedAmount: 25.5 },
  },
]

/** One stored method for all cases of a world. */
const customers = new WeakMap<World, Promise<string>>()

const customerOf = (world: World): Promise<string> => {
  const known = customers.get(world) ?? customerWithMethod(world)
  customers.set(world, known)
  return known
}

const CHARGE: Step = {
  name: 'charging a stored method',
  before: customerOf,
  during: (world, customerId) => chargeStored(world, customerId),
  ends: CAPTURED,
  mayEnd: true,
}

/** The service looks again only after that time. */
const lateCharge = (forgetsMs: number): Step => ({
  ...CHARGE,
  name: 'a stored method, looked up hours later',
  async before(world) {
    // Renews the access token, so that each run makes the same requests.
    await world.app.call('POST', `payment-profiles/${world.profileId}/check`)
    return CHARGE.before(world)
  },
  async during(world, customerId) {
    const payment = await CHARGE.during(world, customerId)
    world.clock.advance(forgetsMs)
    return payment
  },
})

const OF_STORING: readonly Step[] = [
  {
    name: "opening the provider's page to store a method",
    before: async () => undefined,
    during: (world) => openProviderPage(world, { registerAutoPayment: true }),
    after: (world, payment) => payOnPage(world, payment, openAgain),
    ends: CAPTURED,
  },
  CHARGE,
]

/** A stored method that is reserved, for a provider whose page takes the money at once. */
const reserved = async (world: World): Promise<Answer> =>
  chargeStored(world, await customerOf(world), RESERVED)

const OF_RESERVING_STORED: readonly Step[] = [
  {
    ...CHARGE,
    name: 'reserving with a stored method',
    during: (world, customerId) => chargeStored(world, customerId, RESERVED),
    ends: { paymentState: 'Authorized', capturedAmount: 0, refundedAmount: 0 },
  },
  ...OF_AUTHORISING.slice(1).map((step) => ({
    ...step,
    name: `${step.name} with a stored method`,
    before: reserved,
  })),
]

export function stepsOf(subject: Subject): readonly Step[] {
  const { authorises, stores, reservesStored, takesParts, forgetsMs, disturb } = subject
  const steps = [
    ...[...OF_ALL, ...(authorises ? OF_AUTHORISING : []), ...(stores ? OF_STORING : [])],
    ...(reservesStored ? OF_RESERVING_STORED : []),
    ...(takesParts ? OF_PARTS : []),
    ...(forgetsMs === undefined ? [] : [lateCharge(forgetsMs)]),
  ]
  const disturbed = ['a capture', 'a refund in part', 'charging a stored method']
  const again = disturb ? steps.filter(({ name }) => disturbed.includes(name)) : []
  return [
    ...steps,
    ...again.map((step) => ({
      ...step,
      name: `${step.name} ${disturb?.name}`,
      during(world: World, payment: Answer) {
        disturb?.act(world.simulator)
        return step.during(world, payment)
      },
    })),
  ]
}
