import type { Readable } from 'node:stream'

/** An array sets several cookies. */
type PageHeaders = Readonly<Record<string, string | string[]>>

export interface HtmlPage {
  readonly html: string
  readonly headers: PageHeaders
  readonly status?: number
}

/** Response of a page: a document, a redirect, which the browser follows by GET, or a file. */
export type PageAnswer =
  | HtmlPage
  | { readonly location: string; readonly headers?: PageHeaders }
  | {
      readonly file: string | Buffer | Readable
      readonly type: string
      readonly headers?: PageHeaders
    }

export const seeOther = (location: string): PageAnswer => ({ location })

/** Data that script asks for. */
export const jsonAnswer = (value: unknown, headers: PageHeaders = {}): PageAnswer => ({
  file: JSON.stringify(value),
  type: 'application/json',
  headers: { 'cache-control': 'no-store', ...headers },
})
