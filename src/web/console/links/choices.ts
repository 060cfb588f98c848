import { CURRENCIES } from '../../../base/currencies.ts'
import type { Profile } from '../../../merchants/app.ts'
import { findAdapter, takesCurrency } from '../../../merchants/profiles/adapter.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** What a new link may ask for, from the active profiles of the app. */
export interface LinkChoices {
  /** The default currencies of the profiles come first. */
  readonly currencies: readonly string[]
  readonly profiles: readonly Profile[]
  readonly methods: readonly MethodKind[]
}

export function choicesOf({ ctx, app }: AppRequest): LinkChoices {
  const profiles = app.profiles.filter((profile) => profile.isActive && findAdapter(ctx, profile))
  const usual = [...new Set(profiles.map(({ currency }) => currency))]
  const others = [...CURRENCIES.keys()].sort()
  const isTaken = (currency: string): boolean =>
    profiles.some((profile) => takesCurrency(ctx, profile, currency))
  return {
    currencies: [...new Set([...usual, ...others])].filter(isTaken),
    profiles,
    methods: METHOD_KINDS.filter((kind) => profiles.some(({ methods }) => methods.includes(kind))),
  }
}
