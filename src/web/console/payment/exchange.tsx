import { prettyJson } from './words.ts'
import { useOpenRequest } from '../../kit/screen.tsx'

interface ExchangeProps {
  /** Method and address. */
  readonly line: string
  /** Masked JSON. */
  readonly headers?: string | null
  readonly request: string | null
  readonly response: string | null
  readonly curl: string
}

/** A request and its response, masked, and the request as a command. */
export function Exchange({ line, headers, request, response, curl }: ExchangeProps) {
  const { items } = useOpenRequest().texts.payment
  return (
    <div class="exchange">
      <p class="exchange-line">
        <code>{line}</code>
      </p>
      {headers && <Stored title={items.headers} text={headers} />}
      <Stored title={items.request} text={request} empty={items.noBody} />
      <Stored title={items.response} text={response} empty={items.noBody} />
      <details class="curl">
        <summary>{items.curl}</summary>
        <div class="json">
          <pre>{curl}</pre>
        </div>
      </details>
      <div class="buttons">
        <button class="button quiet" type="button" data-copy={curl} hidden>
          {items.copyCurl}
        </button>
        <span class="muted small">{items.masked}</span>
      </div>
    </div>
  )
}

interface StoredProps {
  readonly title: string
  readonly text: string | null
  readonly empty?: string
}

const Stored = ({ title, text, empty }: StoredProps) => (
  <div>
    <p class="muted small">{title}</p>
    {text === null ? (
      <p class="small">{empty}</p>
    ) : (
      // No region of its own: a timeline has many of them.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <div class="json" tabIndex={0}>
        <pre>{prettyJson(text)}</pre>
      </div>
    )}
  </div>
)
