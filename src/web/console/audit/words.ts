import type { AuditEntry } from '../../../audit/audit.ts'
import { isCurrency } from '../../../base/currencies.ts'
import { readId } from '../../../http/wire.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { profileName, providerName } from '../../kit/format/names.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { textNamed, textWith } from '../../kit/texts/texts.ts'

/** Entries of the audit log in words. Rows have codes with values. */

type Members = Readonly<Record<string, unknown>>
type Sentences = Readonly<Record<string, string | ((values: SentenceValues) => string)>>

interface SentenceValues {
  readonly target: string
  readonly name: string
  readonly amount: string
}

const membersOf = (side: object | null): Members => (side ?? {}) as Members

/** What was done: “Refunded €50.00 of payment 10001”. An unknown action stands for itself. */
export function sentenceOf(request: AppRequest, entry: AuditEntry): string {
  const [noun = '', verb = ''] = entry.action.split('.')
  const actions: Readonly<Record<string, Sentences>> = request.texts.audit.actions
  const sentences = Object.hasOwn(actions, noun) ? actions[noun] : undefined
  const sentence = sentences && Object.hasOwn(sentences, verb) ? sentences[verb] : undefined
  if (sentence === undefined) return `${entry.action} ${entry.target}`
  const amount = amountIn(request, membersOf(entry.after)) ?? ''
  const values = { target: targetId(entry), name: nameIn(request, entry), amount }
  return textWith(sentence, values).replace(/ {2,}/g, ' ')
}

const targetId = ({ target }: AuditEntry): string => target.slice(target.indexOf(':') + 1)

/** The name of what was changed; its id where the entry has none. */
function nameIn(request: AppRequest, entry: AuditEntry): string {
  const { actor, before, after, target } = entry
  const sides = [membersOf(after), membersOf(before)]
  const named = sides.flatMap(({ email, name }) => [email, name]).find((name) => typeof name === 'string')
  const id = targetId(entry)
  if (typeof named === 'string') return named
  if (target.startsWith('profile:')) return profileName(request, readId(id) ?? null) ?? id
  return id === actor.id ? actor.name : id
}

function amountIn({ language }: AppRequest, { amountMinor, currency }: Members): string | undefined {
  if (typeof amountMinor !== 'string' || !/^\d+$/.test(amountMinor)) return undefined
  if (typeof currency !== 'string' || !isCurrency(currency)) return undefined
  return moneyInText(language, BigInt(amountMinor), currency)
}

export interface Changed {
  readonly label: string
  /** Undefined where the side has no such member. */
  readonly old: string | undefined
  readonly fresh: string | undefined
}

/** Each changed member: before → after. What stayed the same, and what the sentence tells, is left out. */
export function changesOf(request: AppRequest, entry: AuditEntry): readonly Changed[] {
  const [old, fresh] = [membersOf(entry.before), membersOf(entry.after)]
  const isTold = amountIn(request, fresh) === undefined ? [] : ['amountMinor', 'currency']
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  return names
    .filter((name) => !isTold.includes(name) && !(entry.before === null && name === 'currency'))
    .map((name) => ({
      label: labelOf(request, name),
      old: valueText(request, name, old),
      fresh: valueText(request, name, fresh),
    }))
    .filter((change) => change.old !== change.fresh)
}

/** Settings have the labels of their forms. */
function labelOf({ texts }: AppRequest, name: string): string {
  const fields: Readonly<Record<string, { readonly label: string }>> = {
    ...texts.emails.fields,
    ...texts.settings.fields,
  }
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return textNamed(texts.audit.members, name) ?? field?.label ?? name
}

/** The words of members whose values are codes. */
const wordsOf = ({ texts }: AppRequest): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  state: { ...texts.frame.states, ...texts.exports.states },
  states: texts.frame.states,
  kinds: texts.endpoints.kinds,
  kind: {
    ...texts.payouts.exceptions.kinds,
    ...texts.disputes.files,
    ...texts.exports.kinds,
    ...texts.blocks.kinds,
  },
  texts: texts.disputes.texts,
  flow: texts.payments.flows,
  permissions: texts.team.permissions,
  scopes: texts.developers.scopeNames,
  methods: texts.providers.methodNames,
  every: texts.exports.everies,
})

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function valueText(request: AppRequest, name: string, side: Members): string | undefined {
  const { audit } = request.texts
  const value = side[name]
  if (value === undefined) return undefined
  if (value === null || value === '') return audit.none
  if (typeof value === 'boolean') return value ? audit.yes : audit.no
  if (name.endsWith('Minor')) return amountIn(request, { ...side, amountMinor: value }) ?? String(value)
  if (name === 'provider' && typeof value === 'string') return providerName(request, value)
  const words = wordsOf(request)[name] ?? {}
  if (typeof value === 'string' && INSTANT.test(value)) return timeIn(request, new Date(value))
  if (typeof value === 'string') return textNamed(words, value) ?? value
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isPlain && value.length > 0
    ? value.map((item) => textNamed(words, item) ?? item).join(', ')
    : JSON.stringify(value)
}
