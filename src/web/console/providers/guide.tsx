import type { Manifest } from '../../../providers/port.ts'
import { Card } from '../../kit/html/layout.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { settingTexts } from './profile.tsx'

/** What to do at the provider, beside the form for its settings. */
export function SetupGuide({ manifest }: { readonly manifest: Manifest }) {
  const { providerSetup: words } = useRequest().texts
  const { id, name, setup } = manifest
  if (!setup) return null
  const { rights, optionalRights = [], events } = setup
  return (
    <aside class="provider-guide" aria-label={words.title({ name })}>
      <Card title={words.title({ name })}>
        <p>
          <a href={`/docs/guides/providers/${id}`} target="_blank" rel="noopener">
            {words.guide({ name })} <span class="visually-hidden">({words.newTab})</span>
          </a>
        </p>
        <KeyPages manifest={manifest} />
        <h3>{words.rights}</h3>
        {rights.length === 0 ? <p>{words.noRights}</p> : <Names names={rights} />}
        {optionalRights.length > 0 && (
          <>
            <h3>{words.optionalRights}</h3>
            <Names names={optionalRights} />
          </>
        )}
        {events.length === 0 ? (
          <p>{words.noEvents}</p>
        ) : (
          <details class="fold">
            <summary>{words.events}</summary>
            <p class="muted small">{words.eventsHint({ count: events.length })}</p>
            <Names names={events} />
          </details>
        )}
      </Card>
    </aside>
  )
}

/** A link for each setting to the page that shows it, of the accounts that the app takes. */
function KeyPages({ manifest }: { readonly manifest: Manifest }) {
  const request = useRequest()
  const { providerSetup: words } = request.texts
  const { id, settings, setup } = manifest
  const pages = settings.fields.flatMap((field) => {
    const page = setup?.keyPages?.[field.name]
    return page ? [{ field, url: request.app?.isSandbox === false ? page.live : page.sandbox }] : []
  })
  if (pages.length === 0) return null
  return (
    <>
      <h3>{words.keyPages}</h3>
      <ul class="setup-names">
        {pages.map(({ field, url }) => (
          <li>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {settingTexts(request, id, field).label} <span class="visually-hidden">({words.newTab})</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Names of the provider, which are not translated. */
const Names = ({ names }: { readonly names: readonly string[] }) => (
  <ul class="setup-names" lang="en">
    {names.map((name) => (
      <li>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)
