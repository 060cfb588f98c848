import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Redirect } from '../../src/providers/outcome.ts'
import type { Abilities, ProviderAdapter } from '../../src/providers/port.ts'
import { createFakeProvider } from './provider.ts'
import type { TestApp, TestService } from './tender.ts'
import { good } from './tender.ts'

/** The website of a provider: every address answers with a page, and posted forms are recorded. */
export interface PaySite {
  readonly origin: string
  readonly posted: Readonly<Record<string, string>>[]
  close(): Promise<void>
}

const PAGE =
  '<!doctype html><html lang="en"><head><title>Payhub</title><link rel="icon" href="data:,"></head>' +
  '<body><h1>Pay at Payhub</h1></body></html>'

export async function startPaySite(): Promise<PaySite> {
  const posted: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    if (request.method === 'POST') posted.push(Object.fromEntries(form))
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    posted,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const ON_PAGE: Abilities = {
  authoriseOnly: true,
  sale: true,
  approvesFirst: true,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: true,
  chargeStored: true,
  fields: false,
  setUpMethod: true,
}

interface PageProvider {
  readonly id: string
  readonly name: string
  readonly to: Omit<Redirect, 'kind' | 'handles'>
  readonly pageOrigins?: readonly string[]
}

/** Registers a provider that takes every card and PayPal payment on its page. */
export function addPageProvider({ service }: TestService, { id, name, to, pageOrigins }: PageProvider): void {
  const { adapter } = createFakeProvider({
    id,
    name,
    methods: { CreditCard: ON_PAGE, Paypal: ON_PAGE },
    ...(pageOrigins ? { pageOrigins: () => pageOrigins } : {}),
  })
  const redirect = async () => ({ kind: 'redirect', handles: {}, ...to }) as const
  const providers = service.ctx.providers as Map<string, ProviderAdapter>
  providers.set(id, { ...adapter, start: redirect, setUp: redirect, finishSetup: redirect })
}

/** A profile of such a provider; returns its id. */
export async function addPageProfile(shop: TestApp, provider: string): Promise<number> {
  const body = { provider, name: provider, currency: 'EUR', settings: { account: 'acme' } }
  return good(await shop.call('POST', 'payment-profiles', body)).paymentProfileId
}
