import type { Abilities, Manifest, ProviderAdapter } from '../../src/providers/port.ts'

const ABILITIES: Abilities = {
  authoriseOnly: true,
  sale: true,
  approvesFirst: false,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: true,
  chargeStored: true,
  fields: true,
}

const PAGE_ONLY: Abilities = { ...ABILITIES, storeMethod: false, chargeStored: false, fields: false }

interface FakeSettings {
  readonly account: string
  readonly secretKey?: string
}

function parse(value: unknown): ReturnType<Manifest<FakeSettings>['settings']['parse']> {
  const { account, secretKey } = (value ?? {}) as Record<string, unknown>
  const problems = []
  if (typeof account !== 'string' || account === '')
    problems.push({ field: 'account', message: 'is required' })
  if (secretKey !== undefined && (typeof secretKey !== 'string' || secretKey.length < 8))
    problems.push({ field: 'secretKey', message: 'must have at least 8 characters' })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: value as FakeSettings }
}

export interface FakeProvider {
  readonly adapter: ProviderAdapter
  /** Tokens that it was asked to forget. */
  readonly forgotten: string[]
  /** Makes its answers to `forget` fail. */
  failing: boolean
}

/** A provider that knows its manifest and how to forget; it moves no money. */
export function createFakeProvider(manifest: Partial<Manifest> & { readonly id: string }): FakeProvider {
  const notDone = async () => ({ kind: 'not-done', why: 'unsupported' }) as const
  const fake: FakeProvider = { adapter: undefined as never, forgotten: [], failing: false }
  const adapter: ProviderAdapter = {
    // As the built-in provider does; others are told their settings.
    ...(manifest.id === 'sandbox' && {
      openAccount: (appId: string) => ({ account: appId, secretKey: 'sandbox secret' }),
    }),
    manifest: {
      name: `Fake ${manifest.id}`,
      docs: 'https://docs.example',
      sandboxOnly: false,
      methods: { CreditCard: ABILITIES, ElectronicCheck: ABILITIES, Crypto: PAGE_ONLY, Paypal: PAGE_ONLY },
      currencies: 'any',
      texts: { description: 1_000, name: 200, email: 254, phone: 50, customerId: 200 },
      settings: {
        parse,
        fields: [
          { name: 'account', label: 'Account', secret: false, required: true },
          { name: 'secretKey', label: 'Secret key', secret: true, required: false },
        ],
      },
      keyRetentionMs: () => 86_400_000,
      origin: () => 'https://provider.example',
      retrieve: 'by-reference',
      authorisationWindowMs: 7 * 86_400_000,
      ...manifest,
    },
    check: async () => ({ ok: true, tested: ['credentials'] }),
    start: notDone,
    resume: notDone,
    charge: notDone,
    capture: notDone,
    cancel: notDone,
    refund: notDone,
    retrieve: notDone,
    forget: async (_ctx, token) => {
      if (fake.failing) throw new Error('the provider is down')
      fake.forgotten.push(token)
      return { kind: 'done' }
    },
    receive: async () => ({ kind: 'ignored' }),
  }
  return Object.assign(fake, { adapter })
}
