import { DAY } from '../base/clock.ts'
import { abilitiesFor } from '../providers/abilities.ts'
import { METHOD_KINDS } from '../providers/outcome.ts'
import type { Abilities, Manifest } from '../providers/port.ts'
import { code, type Sheet } from './sheet.ts'

type Ability = Exclude<keyof Abilities, 'stored' | 'threeDSecure' | 'countries'>

const ABILITIES: Readonly<Record<Ability, string>> = {
  authoriseOnly: 'Authorise, capture later',
  sale: 'Take the money in one step',
  approvesFirst: 'Approval, then a second step',
  partialCapture: 'Partial capture',
  refund: 'Refund',
  partialRefund: 'Partial refund',
  storeMethod: 'Store the method',
  chargeStored: 'Charge a stored method',
  fields: 'Fields on our checkout',
  setUpMethod: 'Keep a method without a charge',
}

const RETRIEVE: Readonly<Record<Manifest['retrieve'], string>> = {
  'by-reference': 'by our reference',
  'by-id': 'by its own id',
  'notification-only': 'not at all: it tells by notifications',
}

export function abilitySheet({ methods }: Manifest): Sheet {
  const kinds = METHOD_KINDS.filter((kind) => methods[kind])
  return {
    title: 'Methods and abilities',
    columns: ['Ability', ...kinds],
    rows: [
      ...(Object.keys(ABILITIES) as Ability[]).map((ability) => [
        ABILITIES[ability],
        ...kinds.map((kind) => abilityText(methods[kind], ability)),
      ]),
      ['Countries of the payer', ...kinds.map((kind) => methods[kind]?.countries?.join(', ') ?? 'any')],
      ['Ask for 3-D Secure', ...kinds.map((kind) => methods[kind]?.threeDSecure?.join(', ') ?? 'no')],
    ],
  }
}

/** A stored method may differ from the page. */
function abilityText(abilities: Abilities | undefined, ability: Ability): string {
  const said = (of: Abilities | undefined) => (of?.[ability] ? 'yes' : 'no')
  const stored = said(abilities && abilitiesFor(abilities, true))
  return stored === said(abilities) ? stored : `${said(abilities)}; ${stored} with a stored method`
}

export function settingSheet({ settings }: Manifest): Sheet {
  return {
    title: 'Settings of a profile',
    columns: ['Setting', 'Required', 'Secret', 'Meaning'],
    rows: settings.fields.map(({ name, label, required, secret, help }) => [
      code(name),
      required ? 'yes' : 'no',
      secret ? 'yes' : 'no',
      help ? `${label}. ${help}` : `${label}.`,
    ]),
  }
}

export function factSheet(manifest: Manifest): Sheet {
  const { id, sandboxOnly, currencies, retrieve, keyRetentionMs, authorisationWindowMs, texts } = manifest
  return {
    title: 'Facts',
    columns: ['What', 'How'],
    rows: [
      ['Name in the API', code(id)],
      ['Live apps', sandboxOnly ? 'never' : 'yes'],
      ['Currencies', currencies === 'any' ? 'any' : currencies.join(', ')],
      ['An authorisation lasts', days(authorisationWindowMs)],
      ['An idempotency key is remembered for', days(keyRetentionMs('capture'))],
      ['Can be asked about a payment', RETRIEVE[retrieve]],
      ['Longest description', `${texts.description} characters; the rest is cut off`],
    ],
  }
}

const days = (ms: number): string => `${ms / DAY} days`
