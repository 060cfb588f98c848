import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'
import type { AppRequest, OpenRequest, PersonRequest } from './frame/request.ts'
import { pageHeaders } from './html/headers.ts'
import type { PageAnswer } from './request/answer.ts'

/**
 * The request that a page answers. Components read it from the context of the page, so that none of them
 * takes it as a property; handlers and functions beside them get it as their first parameter.
 */
const RequestContext = createContext<OpenRequest | undefined>(undefined)

interface PageOfProps {
  readonly request: OpenRequest
  readonly children: ComponentChildren
}

/** Gives its children the request. */
export const PageOf = ({ request, children }: PageOfProps) => (
  <RequestContext.Provider value={request}>{children}</RequestContext.Provider>
)

/** In pages for anyone. */
export function useOpenRequest(): OpenRequest {
  const request = useContext(RequestContext)
  if (!request) throw new Error('A component of a page is rendered outside of a page.')
  return request
}

/** In pages for a person with a session. */
export function usePersonRequest(): PersonRequest {
  const request = useOpenRequest()
  if (!('person' in request)) throw new Error('A component needs a person with a session.')
  return request as PersonRequest
}

/** In pages of an app. */
export function useRequest(): AppRequest {
  const request = usePersonRequest()
  if (!('base' in request)) throw new Error('A component needs a page of an app.')
  return request as AppRequest
}

/** A part of a page that script asks for. */
export const renderPart = (request: OpenRequest, part: ComponentChildren): PageAnswer => ({
  html: renderToString(<PageOf request={request}>{part}</PageOf>),
  headers: { ...pageHeaders({}), 'cache-control': 'no-store' },
})

/** A message about what the last form did. */
export interface Flash {
  readonly kind: 'ok' | 'bad' | 'info'
  readonly text: string
}

/**
 * The note in the address: `?note=saved` shows `texts[screen].notes.saved`, or as a problem the entry of
 * `texts[screen].refusals`. A note may have numbers, from the other parameters of the address:
 * `?note=resent-all&count=3`.
 */
export function noteOf({ texts, call }: OpenRequest, screen: string): Flash | undefined {
  const { note = '', ...values } = call.query
  const { notes = {}, refusals = {} } = ((texts as object)[screen as never] ?? {}) as {
    notes?: Readonly<Record<string, unknown>>
    refusals?: Readonly<Record<string, string>>
  }
  if (Object.hasOwn(refusals, note)) return { kind: 'bad', text: refusals[note] ?? '' }
  const found = Object.hasOwn(notes, note) ? notes[note] : undefined
  if (typeof found === 'string') return { kind: 'ok', text: found }
  if (typeof found !== 'function') return undefined
  const numbers = Object.entries(values).map(([name, value]) => [name, digitsIn(value)])
  return { kind: 'ok', text: String(found(Object.fromEntries(numbers))) }
}

const digitsIn = (text: string): number => Number(text.replace(/\D/g, '').slice(0, 9))
