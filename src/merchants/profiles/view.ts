import type { Context } from '../../context.ts'
import { type AnyMethod, kindOnWire } from '../../providers/methods/method.ts'
import type { Abilities } from '../../providers/port.ts'
import type { App, Profile } from '../app.ts'
import { notifyUrl } from '../urls.ts'
import { findAdapter } from './adapter.ts'
import { feesView } from './fees.ts'
import { providerIcons } from './icons.ts'

type Ctx = Pick<Context, 'config' | 'providers' | 'vault'>

/** The short form used in other responses. */
export const profileSummary = (ctx: Pick<Context, 'config'>, profile: Profile) => ({
  paymentProfileId: profile.profileId,
  paymentProfileName: profile.name,
  paymentMethodTypeString: profile.methods[0] ? kindOnWire(profile.methods[0]) : '',
  isActive: profile.isActive,
  currency: profile.currency,
  paymentProvider: { provider: profile.provider, ...providerIcons(ctx, profile.provider) },
})

export const profileView = (ctx: Ctx, profile: Profile) => ({
  ...profileSummary(ctx, profile),
  provider: profile.provider,
  currencies: profile.currencies,
  methods: profile.methods,
  createdTime: profile.createdTime.toISOString(),
  ...feesView(profile),
  webhookUrl: notifyUrl(ctx, profile),
  acceptedTime: profile.acceptedTime?.toISOString() ?? null,
  lastNotificationTime: profile.lastNotificationTime?.toISOString() ?? null,
  settings: settingsView(ctx, profile),
})

/** Shows which settings are set, never their values. */
function settingsView(ctx: Ctx, profile: Profile) {
  const values = JSON.parse(ctx.vault.open(profile.settings)) as Record<string, unknown>
  const { fields = [] } = findAdapter(ctx, profile)?.manifest.settings ?? {}
  return fields.map(({ name, label, secret, required }) => {
    const isSet = values[name] !== undefined && values[name] !== null && values[name] !== ''
    return { name, label, secret, required, isSet }
  })
}

type CheckoutMethod = 'CreditCard' | 'ElectronicCheck' | 'VerifiedPaymentMethod' | 'ProviderHostedPage'

type Offers = (kind: AnyMethod, abilities: Abilities) => boolean

/** Whether a profile's method belongs to a checkout method. */
const CHECKOUT_METHODS: Readonly<Record<CheckoutMethod, Offers>> = {
  CreditCard: (kind) => kind === 'CreditCard',
  ElectronicCheck: (kind) => kind === 'ElectronicCheck',
  VerifiedPaymentMethod: (_kind, { chargeStored }) => chargeStored,
  ProviderHostedPage: (_kind, { fields }) => !fields,
}

/** The checkout methods of the app, each with the profiles that support it. */
export function checkoutMethodsView(ctx: Ctx, app: App) {
  const active = app.profiles.filter((profile) => profile.isActive)
  const groups = Object.entries(CHECKOUT_METHODS).map(([checkoutMethod, offers]) => ({
    checkoutMethod,
    paymentCheckoutMethodItems: active.flatMap((profile) => checkoutItem(ctx, profile, offers)),
  }))
  return groups.filter((group) => group.paymentCheckoutMethodItems.length > 0)
}

function checkoutItem(ctx: Ctx, profile: Profile, offers: Offers) {
  const { methods = {} } = findAdapter(ctx, profile)?.manifest ?? {}
  const offered = profile.methods.filter((kind) => methods[kind] && offers(kind, methods[kind]))
  if (offered.length === 0) return []
  const isSupportSubscription = offered.some(
    (kind) => methods[kind]?.storeMethod && methods[kind].chargeStored,
  )
  return {
    paymentProfile: profileSummary(ctx, profile),
    isSupportSubscription,
    isSupportSinglePayment: true,
    ...providerIcons(ctx, profile.provider),
  }
}

export const providersView = (ctx: Ctx) =>
  [...ctx.providers.keys()].map((provider) => ({ provider, ...providerIcons(ctx, provider) }))

/** The providers that the app can use, with what a new profile needs. */
export const providerSetups = (ctx: Ctx, app: App) =>
  [...ctx.providers.values()]
    .filter(({ manifest }) => app.isSandbox || !manifest.sandboxOnly)
    .map(({ manifest, connectHelp }) => ({
      provider: manifest.id,
      ...providerIcons(ctx, manifest.id),
      name: manifest.name,
      docs: manifest.docs,
      methods: Object.keys(manifest.methods),
      currencies: manifest.currencies === 'any' ? null : manifest.currencies,
      isSupportSubscription: Object.values(manifest.methods).some(
        ({ storeMethod, chargeStored }) => storeMethod && chargeStored,
      ),
      configuredCount: app.profiles.filter(({ provider }) => provider === manifest.id).length,
      settings: manifest.settings.fields.map(({ help = null, ...field }) => ({ ...field, help })),
      connectHelp: connectHelp ?? null,
    }))

/** Shorter values are masked whole: four characters would be too large a part of them. */
const LEAST_SHOWN = 12

/** Every setting masked to its last four characters, secret or not. Unset ones are left out. */
export function maskedSettings(ctx: Ctx, profile: Profile): Record<string, string> {
  const values = JSON.parse(ctx.vault.open(profile.settings)) as Record<string, unknown>
  const { fields = [] } = findAdapter(ctx, profile)?.manifest.settings ?? {}
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const text = String(values[name] ?? '')
      return text === '' ? [] : [[name, `****${text.length >= LEAST_SHOWN ? text.slice(-4) : ''}`]]
    }),
  )
}

/** The profiles that the routing names. Others can still take a payment that no route decides. */
export function routedProfiles(app: App): readonly Profile[] {
  const { defaults = [], routes = [] } = app.routing ?? {}
  const named = [...defaults, ...routes.flatMap(({ profiles }) => profiles)]
  return app.profiles.filter(({ profileId }) => named.some((one) => one.profileId === profileId))
}
