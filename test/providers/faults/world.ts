import { type MockInstance, vi } from 'vitest'
import type { Log } from '../../../src/base/log.ts'
import type { HttpCall, HttpReply } from '../../../src/net/http.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'
import type { JudgedRequest } from '../kit/descriptions.ts'
import { createFaultProxy, type FaultProxy } from '../kit/fault-proxy.ts'
import type { ProviderSimulator } from '../kit/simulator.ts'

/** What the matrix has to know about a provider. */
export interface Subject<Simulator extends ProviderSimulator = ProviderSimulator> {
  readonly provider: string
  readonly method: string
  simulator(now: () => number): Promise<Simulator>
  /** The provider reserves money first and takes it later. */
  readonly authorises: boolean
  /** Stores a method with a payment and charges it later. */
  readonly stores: boolean
  /** A stored method is reserved first, although a page takes the money at once. */
  readonly reservesStored?: boolean
  /** A page can be paid in parts, each of which is a payment of its own. */
  readonly takesParts?: boolean
  /** Movements are confirmed some time after the customer acted. */
  readonly confirmsLater: boolean
  /** After this time the provider knows neither the request ids nor an unpaid charge. */
  readonly forgetsMs?: number
  /** Something at the provider that makes a step take more requests. */
  readonly disturb?: { readonly name: string; act(simulator: Simulator): void }
}

/** A call of the service to the provider, as the transport sent it. */
export interface ProviderCall {
  readonly request: JudgedRequest
  readonly reply: HttpReply
}

/** The whole service, connected to a simulator through a proxy that can fail. One clock drives both. */
export interface World {
  readonly subject: Subject
  readonly tender: TestService
  readonly app: TestApp
  readonly clock: FakeClock
  readonly simulator: ProviderSimulator
  readonly proxy: FaultProxy
  readonly profileId: number
  readonly webhookUrl: string
  /** All calls to the provider since the last time they were taken. */
  takeCalls(): readonly ProviderCall[]
  /** Payments that the customer paid on the provider's page. */
  readonly paid: Set<number>
  /** All lines of the log, of every level. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

const databaseOf = (name: string, { provider, method }: Pick<Subject, 'provider' | 'method'>): string =>
  `${name}_${provider}_${method}`.replaceAll('-', '_').toLowerCase()

export async function startWorld<Simulator extends ProviderSimulator>(
  subject: Subject<Simulator>,
  name = 'faults',
): Promise<World & { readonly simulator: Simulator }> {
  const clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
  const simulator = await subject.simulator(() => clock.now().getTime())
  const proxy = await createFaultProxy(simulator.origin)
  const lines: string[] = []
  const tender = await startTestService(databaseOf(name, subject), {
    ...{ clock, log: logTo(lines), rateLimit: 10_000 },
    // Jobs run only when the test moves the clock of the app.
    role: 'web',
    config: { providerOrigins: { [subject.provider]: proxy.origin } },
  })
  const app = tender.sandbox
  const watch = watchCalls(tender, proxy)
  const { paymentProfileId: profileId, webhookUrl } = await connectedProfile(app, subject, simulator).catch(
    (error: Error) => {
      const logged = lines.findLast((line) => line.startsWith('error '))
      throw new Error(`the profile is not connected: ${error.message} ${logged ?? ''}`)
    },
  )
  return {
    ...{
      subject: subject as unknown as Subject,
      tender,
      app,
      clock,
      simulator,
      proxy,
      profileId,
      webhookUrl,
    },
    takeCalls: watch.take,
    paid: new Set(),
    lines,
    async stop() {
      watch.restore()
      await tender.stop()
      await proxy.close()
      await simulator.close()
    },
  }
}

async function connectedProfile(
  app: TestApp,
  { provider, method }: Pick<Subject, 'provider' | 'method'>,
  { settings }: ProviderSimulator,
) {
  const body = { provider, name: provider, currency: 'EUR', methods: [method], settings }
  const profile = good(await app.call('POST', 'payment-profiles', body))
  const connected = good(await app.call('POST', `payment-profiles/${profile.paymentProfileId}/connect`))
  if (!connected.isConnected) throw new Error(JSON.stringify(connected))
  return profile
}

export function logTo(lines: string[]): Log {
  const write = (level: string) => (event: string, data?: object) =>
    void lines.push(`${level} ${event} ${JSON.stringify(data ?? {})}`)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Records what the transport sends and gets, and ends calls that the proxy lets hang. */
function watchCalls({ service }: TestService, proxy: FaultProxy) {
  const calls: ProviderCall[] = []
  const { http } = service.ctx
  const send = http.call.bind(http)
  const spy: MockInstance<typeof http.call> = vi.spyOn(http, 'call').mockImplementation(async (call) => {
    if (!call.url.startsWith(proxy.origin)) return send(call)
    const timeLimit = new AbortController()
    const signals = [timeLimit.signal, ...(call.signal ? [call.signal] : [])]
    const arrivals = proxy.exchanges.length
    let isOver = false
    const sending = send({ ...call, signal: AbortSignal.any(signals) }).finally(() => {
      isOver = true
    })
    const path = pathOf(call)
    const isHung = () =>
      proxy.exchanges
        .slice(arrivals)
        .some(({ fault, path: other, status }) =>
          other !== path
            ? false
            : fault === 'hang-before' || (fault === 'hang-after' && status !== undefined),
        )
    void endWhen(isHung, () => isOver, timeLimit)
    const reply = await sending
    calls.push({ request: requestOf(call), reply })
    return reply
  })
  return { take: () => calls.splice(0), restore: () => spy.mockRestore() }
}

/** The time limit of a hanging call is over as soon as the provider has done its part. */
async function endWhen(isHung: () => boolean, isOver: () => boolean, timeLimit: AbortController) {
  while (!isOver()) {
    if (isHung()) timeLimit.abort()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const pathOf = ({ url }: HttpCall): string => new URL(url).pathname + new URL(url).search

function requestOf(call: HttpCall): JudgedRequest {
  const { method, json, form, text } = call
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const hasBody = json !== undefined || form !== undefined
  const headers = { ...(hasBody ? { 'content-type': type } : {}), ...lowerCased(call.headers ?? {}) }
  const body = json === undefined ? (form ? String(new URLSearchParams(form)) : text) : JSON.stringify(json)
  return { method, path: pathOf(call), headers, body: body ?? '' }
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
