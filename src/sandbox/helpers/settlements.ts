import Type from 'typebox'
import { after, DAY } from '../../base/clock.ts'
import { ApiError, invalid, wrongField } from '../../base/errors.ts'
import { majorNumber } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { IdInput, Instant, maybe, readId } from '../../http/wire.ts'
import type { Job } from '../../jobs/loop.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { notifyUrl } from '../../merchants/urls.ts'
import { getPayment } from '../../payments/actions.ts'
import { readSoon } from '../../settlements/commands.ts'
import { shopOf } from '../adapter/settled.ts'
import { LINE_LIES, SETTLEMENT_FAULTS } from '../bank/rules/report.ts'
import type { Sandbox } from '../sandbox.ts'
import { callBank, sandboxOnly, settleDue } from './commands.ts'

const common = { tag: 'Test helpers', status: 200 } as const
const AppParams = Type.Object({ appId: Type.String() })

/** Longer than a test lasts. */
const BEFORE_DAYS = 60

const Payout = Type.Object({
  paymentProfileId: Type.Union([Type.Integer(), Type.Null()]),
  providerPayoutId: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  time: Instant,
})

const FaultBody = Type.Object({
  kind: Type.Enum([...SETTLEMENT_FAULTS]),
  paymentId: maybe(IdInput, 'The payment whose next line is wrong. Absent: the next sale or refund of any.'),
})

export function settlementHelpers(ctx: Context, sandbox: Sandbox, clockJobs: readonly Job[]): Route[] {
  return [payoutHelper(ctx, sandbox, clockJobs), ...faultHelpers(ctx, sandbox)]
}

const payoutHelper = (ctx: Context, sandbox: Sandbox, jobs: readonly Job[]): Route =>
  appRoute({
    ...common,
    method: 'POST',
    path: '/test-helpers/payouts',
    summary: "Pay out what is due at the app's time",
    description:
      'The built-in bank pays out every midnight of the app what is two days old. This does it now, and ' +
      'answers the payouts since the last call, also those of midnights that have passed.',
    errors: ['not_possible'],
    response: Type.Object({ payouts: Type.Array(Payout) }),
    examples: {
      response: {
        payouts: [
          {
            paymentProfileId: 1,
            providerPayoutId: 'po_000001',
            amount: 24.2,
            currency: 'EUR',
            time: '2026-11-20T23:00:00.000Z',
          },
        ],
      },
    },
    params: AppParams,
    handler: async (caller) => {
      const app = sandboxOnly(caller)
      const payouts = await payOut(ctx, sandbox, app)
      await readSources(ctx, app)
      await settleDue(ctx, app, jobs)
      return { payouts }
    },
  })

/** Settlements are read from the first test of them on. Payments of the time before are part of it. */
async function readSources(ctx: Context, app: App): Promise<void> {
  const begin = after(appNow(ctx, app), -BEFORE_DAYS * DAY)
  for (const profile of app.profiles)
    if (profile.provider === 'sandbox') await readSoon(ctx, app, profile, begin)
}

/** Pays out at the bank, and tells which profile each payout belongs to. */
async function payOut(ctx: Context, sandbox: Sandbox, app: App) {
  const made = await callBank(ctx, sandbox, app, (bank) => bank.payOut(app.timeZone))
  const shops = new Map(app.profiles.map((one) => [shopOf(notifyUrl(ctx, one)), one.profileId]))
  return made.map(({ id, shop, amountMinor, currency, time }) => ({
    paymentProfileId: shops.get(shop) ?? null,
    providerPayoutId: id,
    amount: majorNumber(amountMinor, currency),
    currency,
    time,
  }))
}

function faultHelpers(ctx: Context, sandbox: Sandbox): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/test-helpers/settlement-faults',
      summary: 'Let the next settlement report be wrong',
      description:
        '`missing`: the line is left out until the faults are cleared. `doubled`: it comes again under ' +
        'another id. `altered`: its gross amount is another. `currency`: the currency of the charge is ' +
        'another. `cut`: half of the new lines come with the report after it. `order`: the last line comes ' +
        'first. A fault waits for a report with a sale or refund that was not reported before.',
      errors: ['invalid_request', 'not_found', 'not_possible'],
      response: Type.Object({
        kind: Type.Enum([...SETTLEMENT_FAULTS]),
        paymentId: Type.Union([Type.Integer(), Type.Null()]),
      }),
      examples: { body: { kind: 'missing', paymentId: 10001 } },
      params: AppParams,
      body: FaultBody,
      handler: async (caller, { body }) => {
        const app = sandboxOnly(caller)
        const { kind } = body
        if (body.paymentId == null) {
          await callBank(ctx, sandbox, app, (bank) => bank.plantSettlementFault({ kind }))
          return { kind, paymentId: null }
        }
        if (!LINE_LIES.some((lie) => lie === kind))
          throw invalid([wrongField('paymentId', `does not go with ${kind}, which is about a report`)])
        const { attemptKey, paymentId } = await getPayment(ctx, app, readId(body.paymentId))
        if (attemptKey === null) throw new ApiError('not_possible', 'No provider has seen the payment yet.')
        const fault = { kind, reference: attemptKey }
        await callBank(ctx, sandbox, app, (bank) => bank.plantSettlementFault(fault))
        return { kind, paymentId }
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: '/test-helpers/settlement-faults',
      summary: 'Clear all faults of settlement reports',
      description: 'Lines that were left out come with the next report.',
      response: Type.Object({ cleared: Type.Literal(true) }),
      params: AppParams,
      handler: async (caller) => {
        await callBank(ctx, sandbox, sandboxOnly(caller), (bank) => bank.clearSettlementFaults())
        return { cleared: true as const }
      },
    }),
  ]
}
