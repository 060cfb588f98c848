import { CURRENCIES } from '../../../base/currencies.ts'
import { invalid, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { findProfile, type Profile } from '../../../merchants/app.ts'
import { usualMethods } from '../../../merchants/profiles/commands.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import type { Manifest, ProviderAdapter } from '../../../providers/port.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** What a person typed about a provider. */
export interface ProfileDraft {
  readonly name: string
  readonly currency: string
  readonly methods: readonly MethodKind[]
}

/** The profile that the address names. */
export function requestedProfile({ app, call }: AppRequest): Profile {
  const profile = findProfile(app, readId(call.params.profileId ?? '') ?? -1)
  if (!profile) throw notFound('The payment profile')
  return profile
}

/** The provider that the address names, if the app may use it. */
export function requestedAdapter({ ctx, app, call }: AppRequest): ProviderAdapter {
  const adapter = ctx.providers.get(call.params.provider ?? '')
  if (!adapter || !isUsable(adapter.manifest, app.isSandbox)) throw notFound('The provider')
  return adapter
}

export const isUsable = ({ sandboxOnly }: Manifest, isSandbox: boolean): boolean => isSandbox || !sandboxOnly

export const methodsOf = ({ methods }: Manifest): MethodKind[] => METHOD_KINDS.filter((kind) => methods[kind])

export const currenciesOf = ({ currencies }: Manifest): readonly string[] =>
  currencies === 'any' ? [...CURRENCIES.keys()].sort() : [...currencies].sort()

const FIRST_CHOICE = 'EUR'

export function newDraft(manifest: Manifest): ProfileDraft {
  const currencies = currenciesOf(manifest)
  return {
    name: manifest.name,
    currency: currencies.includes(FIRST_CHOICE) ? FIRST_CHOICE : (currencies[0] ?? ''),
    methods: usualMethods(manifest),
  }
}

export const readDraft = ({ call }: AppRequest): ProfileDraft => ({
  name: (call.form.get('name') ?? '').trim(),
  currency: call.form.get('currency') ?? '',
  methods: METHOD_KINDS.filter((kind) => call.fieldsOf('method').includes(kind)),
})

/** What the commands leave to the API's schema. */
export function checkDraft({ texts }: AppRequest, { name, methods }: ProfileDraft): void {
  const isNamed = name.length > 0 && name.length <= LIMITS.nameLength
  const errors = [
    ...(isNamed ? [] : [{ field: 'name', message: texts.providers.nameMissing }]),
    ...(methods.length > 0 ? [] : [{ field: 'methods', message: texts.providers.methodMissing }]),
  ]
  if (errors.length > 0) throw invalid(errors)
}

const SETTING_LENGTH = 2_000

export const settingField = (name: string): string => `setting.${name}`

/** The settings that were filled in; an empty field keeps what is stored. */
export function readSettings({ call }: AppRequest, { settings }: Manifest): Record<string, string> {
  const given = settings.fields.map(({ name }) => [name, (call.form.get(settingField(name)) ?? '').trim()])
  return Object.fromEntries(given.filter(([, value]) => value && value.length <= SETTING_LENGTH))
}

/** Codes between spaces or commas. Null: none given. */
export function readCodes(text: string): string[] | null {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
  return codes.length > 0 ? codes.slice(0, CURRENCIES.size) : null
}
