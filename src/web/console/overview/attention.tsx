import { troubleText } from '../../kit/format/names.ts'
import { Card } from '../../kit/html/layout.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import { useRequest } from '../../kit/screen.tsx'

export interface Attention {
  readonly held: number
  readonly failingEndpoints: number
  readonly exhaustedWebhooks: number
}

const MOST_SHOWN = 160

/** What a person should look at, each with the page where it is solved. */
export function NeedsAttention({ attention }: { attention: Attention }) {
  const request = useRequest()
  const { app, base, texts } = request
  const { overview } = texts
  const { held, failingEndpoints, exhaustedWebhooks } = attention
  const troubles = app.profiles.flatMap(({ profileId, name, trouble, isActive }) =>
    trouble && isActive
      ? [{ profileId, text: overview.trouble(name, troubleText(request, trouble.diagnosis)) }]
      : [],
  )
  const items = [
    ...(held > 0 ? [{ href: `${base}/reviews`, text: overview.heldPayments(String(held)) }] : []),
    ...(failingEndpoints > 0
      ? [{ href: `${base}/developers/webhooks`, text: overview.failingEndpoints(String(failingEndpoints)) }]
      : []),
    ...(exhaustedWebhooks > 0
      ? [{ href: `${base}/developers/webhooks`, text: overview.exhausted(String(exhaustedWebhooks)) }]
      : []),
    ...troubles.map(({ profileId, text }) => ({ href: `${base}/providers/${profileId}`, text })),
  ]
  return (
    <Card title={overview.attention}>
      {items.length === 0 ? (
        <p class="muted">{overview.nothing}</p>
      ) : (
        <ul class="attention">
          {items.map(({ href, text }) => (
            <li>
              <a href={href}>
                <bdi>{shortText(text, MOST_SHOWN)}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
