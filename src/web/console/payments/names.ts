import type { State } from '../../../payments/machine.ts'
import { STATES } from '../../../payments/machine.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import type { AppRequest, PersonRequest } from '../../kit/frame/request.ts'
import type { FilterName } from './address.ts'
import { profileName, providerName } from '../../kit/format/names.ts'

/** Names of things as the lists of payments show them. */

const isState = (name: string): name is State => Object.hasOwn(STATES, name)

export function stateName({ texts }: Pick<PersonRequest, 'texts'>, name: string): string {
  const known = Object.keys(STATES).find((state) => state.toLowerCase() === name.toLowerCase())
  if (known && isState(known)) return texts.frame.states[known]
  return name.toLowerCase() === 'held' ? texts.payments.held : name
}

/** The values of one member of the filter, which are separated by commas. */
export function filterValueText(request: AppRequest, name: FilterName, value: string): string {
  const nameOf = (each: string): string => {
    if (name === 'state') return stateName(request, each)
    if (name === 'provider') return providerName(request, each)
    if (name === 'profile') return profileName(request, Number(each)) ?? each
    return each
  }
  return value.split(',').map(nameOf).join(', ')
}

/** `Visa •••• 4242`, or the kind of the method. */
export function methodText(
  { texts }: Pick<PersonRequest, 'texts'>,
  { method, brand, last4 }: Pick<ListedPayment, 'method' | 'brand' | 'last4'>,
): string | undefined {
  if (method === null) return undefined
  const name = brand ? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}` : texts.payments.methods[method]
  return last4 ? `${name} •••• ${last4}` : name
}
