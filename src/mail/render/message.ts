/** The content of a message in one language, before it becomes text and HTML. */
export interface Message {
  readonly subject: string
  readonly heading: string
  readonly blocks: readonly Block[]
  /** In small print beneath. */
  readonly footer: readonly FooterLine[]
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly Fact[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string }

interface Fact {
  readonly label: string
  readonly value: string
}

export interface FooterLine {
  readonly text: string
  readonly url?: string
}

export const paragraph = (text: string): Block => ({ kind: 'text', text })
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })

/** Facts without a value are left out. */
export const facts = (...rows: readonly (readonly [string, string | null])[]): Block => ({
  kind: 'facts',
  rows: rows.flatMap(([label, value]) => (value ? { label, value } : [])),
})
