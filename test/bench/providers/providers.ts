import type { Bench, Figure } from '../bench.ts'
import { median } from '../measure.ts'
import { type BenchApp, pause, type Rig } from '../rig.ts'
import type { ProviderId } from './plan.ts'
import type { ProviderProcess } from './start.ts'

const ROUNDS = 3
const PAYMENTS = 300
/** Until the service's code is compiled. */
const WARMING_PAYMENTS = 600
const MAX_SECONDS = 60
const SETTLING_MS = 60_000

interface Shop extends Profile {
  readonly app: BenchApp
  readonly provider: ProviderProcess
  /** Payments of all rounds so far. */
  made: number
  readonly rounds: Round[]
}

interface Profile {
  readonly paymentProfileId: number
  readonly webhookUrl: string
}

interface Round {
  readonly count: number
  /** NaN for the sandbox bank. */
  readonly requests: number
  /** Per captured payment. */
  readonly serviceMs: number
  readonly postgresMs: number
}

/**
 * CPU time of the service and of PostgreSQL for each payment that is created, paid on the page of a provider
 * and captured. Simulators of providers are separate processes; the sandbox bank is part of the service.
 */
export const providers: Bench = {
  name: 'providers',
  providers: true,
  async run(rig, say) {
    const shops: Shop[] = []
    for (const provider of rig.providers) shops.push(await openShop(rig, provider))
    for (const shop of shops) await measureRound(rig, shop, WARMING_PAYMENTS)
    for (let round = 1; round <= ROUNDS; round++) {
      for (const shop of shops) shop.rounds.push(await measureRound(rig, shop, PAYMENTS))
      const used = shops.map(({ provider, rounds }) => `${provider.id} ${ms(cpuOf(rounds.at(-1)))}`)
      say(`round ${round}: ${used.join(', ')} ms`)
    }
    return shops.map((shop) => figureOf(shop, shops[0]?.rounds ?? []))
  },
}

/** An app for each provider, with a profile that receives its notifications. */
async function openShop(rig: Rig, provider: ProviderProcess): Promise<Shop> {
  const app = await rig.newApp()
  const profile = provider.settings
    ? await connect(app, provider.id, provider.settings)
    : await sandboxProfile(app)
  const { paymentProfileId, webhookUrl } = profile
  return { app, provider, paymentProfileId, webhookUrl, made: 0, rounds: [] }
}

async function connect(
  app: BenchApp,
  provider: ProviderId,
  settings: Readonly<Record<string, string>>,
): Promise<Profile> {
  const path = '/payment-profiles'
  const made = await app.call('POST', path, { provider, currency: 'EUR', settings })
  if (made.status !== 200) throw new Error(made.text)
  const profile = JSON.parse(made.text) as Profile
  const connected = await app.call('POST', `${path}/${profile.paymentProfileId}/connect`)
  if (!connected.text.includes('"isConnected":true')) throw new Error(connected.text)
  return profile
}

async function sandboxProfile(app: BenchApp): Promise<Profile> {
  const { text } = await app.call('GET', '/payment-profiles')
  const profiles = JSON.parse(text) as (Profile & { methods: readonly string[] })[]
  const profile = profiles.find(({ methods }) => methods.includes('CreditCard'))
  if (!profile) throw new Error(`no profile for cards: ${text}`)
  return profile
}

async function measureRound(rig: Rig, shop: Shop, payments: number): Promise<Round> {
  const { app, provider, paymentProfileId: profileId, webhookUrl, made: from } = shop
  const { appId, apiKey } = app
  const plan = { url: rig.url, appId, apiKey, profileId, webhookUrl, from, seconds: MAX_SECONDS }
  const deliver = () => provider.run({ ...plan, count: 0 })
  const { requests: requestsBefore = Number.NaN } = await deliver()
  const before = rig.usage()
  const { count } = await provider.run({ ...plan, count: payments })
  shop.made += count
  // A capture in the background causes a notification after its payer has left. Some providers tell only by
  // it that the money was captured.
  await until(rig, shop, 'captured', deliver)
  await deliver()
  await until(rig, shop, 'notified')
  const after = rig.usage()
  const { requests = Number.NaN } = await deliver()
  return {
    count,
    requests: requests - requestsBefore,
    serviceMs: (after.service.cpuMs - before.service.cpuMs) / count,
    postgresMs: (after.postgres.cpuMs - before.postgres.cpuMs) / count,
  }
}

const CONDITIONS = {
  captured: `(select count(*) from payments where app_id = $1 and state = 'Captured') = $2`,
  notified: `not exists (select from provider_notifications where app_id = $1 and status = 'new')
    and not exists (select from sandbox_bank.notifications) and $2 >= 0`,
}

/** Waits until all payments of the shop are captured, or all notifications are processed. */
async function until(
  { db }: Rig,
  { app, made, provider }: Shop,
  what: keyof typeof CONDITIONS,
  deliver?: () => Promise<unknown>,
) {
  for (let waitedMs = 0; waitedMs < SETTLING_MS; waitedMs += 50) {
    const text = `select ${CONDITIONS[what]} as met`
    const { rows } = await db.query<{ met: boolean }>(text, [app.appId, made])
    if (rows[0]?.met) return
    await deliver?.()
    await pause(50)
  }
  throw new Error(`${provider.id}: not all payments were ${what}`)
}

const cpuOf = (round: Round | undefined): number => (round ? round.serviceMs + round.postgresMs : Number.NaN)

const ms = (value: number): string => value.toFixed(2)

/** The ratio is the median over the rounds, because adjacent runs have similar conditions. */
function figureOf({ provider, rounds }: Shop, sandbox: readonly Round[]): Figure {
  const count = rounds.reduce((sum, round) => sum + round.count, 0)
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0) / count
  const serviceMs = median(rounds.map((round) => round.serviceMs))
  const postgresMs = median(rounds.map((round) => round.postgresMs))
  const ratio = median(rounds.map((round, place) => cpuOf(round) / cpuOf(sandbox[place])))
  const asked = Number.isNaN(requests) ? '–' : requests.toFixed(1)
  return {
    what: `${provider.id}, ${count} payments, for each: CPU of service, PostgreSQL; requests; CPU ÷ sandbox`,
    value: `${ms(serviceMs)}, ${ms(postgresMs)} ms; ${asked}; ${ratio.toFixed(2)}`,
    numbers: { count, serviceMs, postgresMs, ratio, ...(Number.isNaN(requests) ? {} : { requests }) },
  }
}
