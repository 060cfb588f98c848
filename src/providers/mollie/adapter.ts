import type { AccountMethods } from '../check.ts'
import { type Checked, checkProblem } from '../check.ts'
import { type Json, listAt, textAt } from '../kit/json.ts'
import { problemOf as sentenceOf } from '../kit/problem.ts'
import { type ProviderFailure, unsupported, withoutDecline } from '../kit/reply.ts'
import { type AnyMethod, isMethodId } from '../methods/method.ts'
import type { Connected, ProviderAdapter } from '../port.ts'
import { listBalances, METHODS, readMethods, readProfile } from './calls.ts'
import { call, callAsOrganisation, type MollieContext } from './exchange.ts'
import { type MollieSettings, manifest } from './manifest.ts'
import { isId } from './payment.ts'
import { received } from './receive.ts'
import { retrieve } from './retrieve.ts'
import { settlements } from './settlements.ts'
import { cancel, capture, charge, forget, readStored, refund, start } from './steps.ts'

/**
 * Mollie's Payments API with its hosted checkout. Its notifications are not signed and only name a payment.
 * See docs/decisions/0121-mollie.md.
 */
export const mollie: ProviderAdapter<MollieSettings> = {
  manifest,
  check,
  accountMethods,
  connect,
  connectHelp: 'Nothing to do at Mollie: every payment carries this address.',
  start,
  resume: async () => unsupported('Mollie pays without a second step.'),
  charge,
  capture,
  cancel,
  refund,
  retrieve: (ctx, reference, handles) => retrieve(ctx, reference, handles),
  forget,
  readStored,
  receive: async (_ctx, { rawBody }) => received(rawBody),
  settlements,
}

async function check(ctx: MollieContext): Promise<Checked> {
  const read = await call(ctx, readMethods())
  if (read.kind !== 'object') return { ok: false, problem: problemOf(read), code: checkProblem(read) }
  const missing = missingMethods(ctx, listAt(read.object, '_embedded', 'methods'))
  if (missing.length > 0) return { ok: false, problem: notOn(missing), code: 'refused' }
  const profile = await call(ctx, readProfile())
  const account = profile.kind === 'object' ? textAt(profile.object, 'id') : undefined
  const warning = await tokenWarning(ctx)
  return {
    ...{ ok: true, tested: ['credentials', 'methods'] },
    ...(isId(account) ? { account } : {}),
    ...(warning ? { warnings: [warning] } : {}),
  }
}

/** Payments do not need the token of the organisation. */
async function tokenWarning(ctx: MollieContext): Promise<string | undefined> {
  if (ctx.config.organizationToken === undefined) return undefined
  const read = await callAsOrganisation(ctx, listBalances(undefined))
  if (read.kind === 'object') return undefined
  const problem = sentenceOf(read, { ...WORDS, key: 'the organisation access token', denied: TOKEN_DENIED })
  return `Settlements cannot be read. ${problem}`
}

const TOKEN_DENIED = 'The organisation access token has no permission for balances'

/** Methods that the profile offers, and that are not turned on at Mollie. */
const missingMethods = ({ profile }: MollieContext, listed: readonly Json[]): AnyMethod[] =>
  (profile?.methods ?? []).filter(
    // A method by name that is not on is left out of the checkout.
    (method) => !isMethodId(method) && !listed.some((one) => isOn(one, METHODS[method])),
  )

async function accountMethods(ctx: MollieContext): Promise<AccountMethods> {
  const read = await call(ctx, readMethods())
  if (read.kind !== 'object') return withoutDecline(read)
  const listed = listAt(read.object, '_embedded', 'methods')
  const methods = (Object.keys(METHODS) as AnyMethod[]).filter((method) =>
    listed.some((one) => isOn(one, METHODS[method])),
  )
  return { kind: 'methods', methods }
}

const isOn = (listed: Json, id: string | undefined): boolean =>
  textAt(listed, 'id') === id && (textAt(listed, 'status') ?? 'activated') === 'activated'

const notOn = (methods: readonly AnyMethod[]): string =>
  `Not turned on at Mollie: ${methods.join(', ')}. ` +
  'Turn it on under Settings, Payment methods, or remove it here.'

/** Every payment names the address for its notifications, so there is nothing to register. */
async function connect(ctx: MollieContext): Promise<Connected> {
  const read = await call(ctx, readMethods())
  return read.kind === 'object' ? { ok: true, settings: {} } : { ok: false, problem: problemOf(read) }
}

/** What is wrong, in a sentence for the merchant. */
const problemOf = (failed: ProviderFailure): string => sentenceOf(failed, WORDS)

const WORDS = {
  provider: 'Mollie',
  key: 'the API key',
  denied: 'The API key has no permission for this',
}
