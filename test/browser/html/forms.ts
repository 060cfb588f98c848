/** A form of a page, with what it would send unchanged. */
export interface Form {
  readonly action: string
  readonly isMultipart: boolean
  readonly fields: readonly Field[]
  /** Pairs of the buttons that have a name. */
  readonly buttons: readonly Pair[]
}

interface Field extends Pair {
  readonly kind: 'hidden' | 'text' | 'choice' | 'file'
}

interface Pair {
  readonly name: string
  readonly value: string
}

export type Filling = 'empty' | 'bad' | 'long' | 'as-is'

const LONG = 'long text '.repeat(400)
const TYPED: Readonly<Record<Exclude<Filling, 'as-is'>, string>> = { empty: '', bad: '12,x', long: LONG }

/** The forms of a page that are posted. */
export function formsOf(html: string, page: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, opening = '', inner = '']) => {
    const form = attributesOf(opening)
    if (form.method?.toLowerCase() !== 'post') return []
    const fields = [...inputsOf(inner), ...selectsOf(inner), ...textAreasOf(inner)]
    const isMultipart = form.enctype === 'multipart/form-data'
    return [{ action: form.action || page, isMultipart, fields, buttons: buttonsOf(inner) }]
  })
}

/** Has something that a person types. */
export const isTyped = ({ fields }: Form): boolean => fields.some(({ kind }) => kind === 'text')

/** The same form on another rendering of its page. */
export const shapeOf = ({ action, fields, buttons }: Form): string =>
  [action.split('?')[0], ...fields.map(({ name }) => name), ...buttons.map(({ value }) => value)].join(' ')

export function bodyOf(form: Form, filling: Filling, button?: Pair): URLSearchParams | FormData {
  const body = form.isMultipart ? new FormData() : new URLSearchParams()
  for (const { kind, name, value } of form.fields) {
    if (kind === 'file') continue
    body.append(name, kind === 'text' && filling !== 'as-is' ? TYPED[filling] : value)
  }
  if (button) body.append(button.name, button.value)
  return body
}

function inputsOf(html: string): Field[] {
  return [...html.matchAll(/<input\b([^>]*)>/g)].flatMap(([, text = '']): Field[] => {
    const { type = 'text', name, value = '', ...flags } = attributesOf(text)
    if (name === undefined || 'disabled' in flags || type === 'submit') return []
    if (type === 'hidden' || type === 'file') return [{ kind: type, name, value }]
    if (type !== 'checkbox' && type !== 'radio') return [{ kind: 'text', name, value }]
    return 'checked' in flags ? [{ kind: 'choice', name, value: value || 'on' }] : []
  })
}

function selectsOf(html: string): Field[] {
  return [...html.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].flatMap(([, text = '', inner = '']) => {
    const { name } = attributesOf(text)
    if (name === undefined) return []
    const options = [...inner.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) => attributesOf(option))
    const chosen = options.find((option) => 'selected' in option) ?? options[0]
    return [{ kind: 'choice', name, value: chosen?.value ?? '' }]
  })
}

function textAreasOf(html: string): Field[] {
  return [...html.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].flatMap(([, text = '', value = '']) => {
    const { name } = attributesOf(text)
    return name === undefined ? [] : [{ kind: 'text', name, value: decoded(value) }]
  })
}

function buttonsOf(html: string): Pair[] {
  return [...html.matchAll(/<button\b([^>]*)>/g)].flatMap(([, text = '']) => {
    const { name, value = '' } = attributesOf(text)
    return name === undefined ? [] : [{ name, value }]
  })
}

function attributesOf(text: string): Record<string, string | undefined> {
  const found = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decoded(value)]))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
