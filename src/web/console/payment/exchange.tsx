import { useOpenRequest } from '../../kit/screen.tsx'
import { prettyJson } from './words.ts'

/** A request as a command of a POSIX shell. */
interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | null
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = ({ method, url, headers, body }: CurlRequest): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data-raw ${quoted(body)}`] : []),
  ].join(' \\\n  ')

/** Headers are stored as JSON; masked values stay masked. */
export function headersOf(json: string): Record<string, string> {
  try {
    const members = Object.entries(JSON.parse(json) as object)
    return Object.fromEntries(members.map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}

/** A status of HTTP, coloured. */
export const HttpStatus = ({ status }: { readonly status: number }) => (
  <span class={status < 400 ? 'code good' : 'code bad'}>{status}</span>
)

export const CopyCurl = ({ curl }: { readonly curl: string }) => (
  <button class="button quiet" type="button" data-copy={curl} hidden>
    {useOpenRequest().texts.payment.items.copyCurl}
  </button>
)

interface ExchangeProps {
  /** The address as the page shows it. */
  readonly address: string
  readonly request: CurlRequest
  /** Masked JSON. */
  readonly headers?: string
  readonly response: string | null
}

/** A request and its response, masked, and the request as a command. */
export function Exchange({ address, request, headers, response }: ExchangeProps) {
  const { items } = useOpenRequest().texts.payment
  const curl = curlOf(request)
  return (
    <div class="exchange">
      <p class="exchange-line">
        <code>{`${request.method} ${address}`}</code>
      </p>
      {headers && <Stored title={items.headers} text={headers} />}
      <Stored title={items.request} text={request.body} />
      <Stored title={items.response} text={response} />
      <details class="curl">
        <summary>{items.curl}</summary>
        <div class="json">
          <pre>{curl}</pre>
        </div>
      </details>
      <div class="buttons">
        <CopyCurl curl={curl} />
        <span class="muted small">{items.masked}</span>
      </div>
    </div>
  )
}

const Stored = ({ title, text }: { readonly title: string; readonly text: string | null | undefined }) => (
  <div>
    <p class="muted small">{title}</p>
    {text === null || text === undefined ? (
      <p class="small">{useOpenRequest().texts.payment.items.noBody}</p>
    ) : (
      // No region of its own: a timeline has many of them.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <div class="json" tabIndex={0}>
        <pre>{prettyJson(text)}</pre>
      </div>
    )}
  </div>
)
