import type { Profile } from '../../../merchants/app.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { KeyValue } from '../../kit/html/layout.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { Manifest } from '../../../providers/port.ts'
import { EmptyState } from '../../kit/list.tsx'
import { troubleText } from '../routing/words.ts'
import { methodsOf } from './draft.ts'
import { figureRows, LastError, type Performance } from './figures.tsx'
import { Logo, MethodList, nameOf, StatusPill } from './parts.tsx'
import { Steps } from './steps.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

interface CardsProps {
  readonly performanceOf: (profileId: number) => Performance
}

export function ProviderCards({ performanceOf }: CardsProps) {
  const { app, texts } = useRequest()
  const { providers } = texts
  if (app.profiles.length === 0)
    return (
      <EmptyState title={providers.empty}>
        <p>{app.isSandbox ? providers.emptySandbox : providers.emptyBody}</p>
      </EmptyState>
    )
  return (
    <>
      <p class="muted">{providers.intro}</p>
      <ul class="provider-cards">
        {app.profiles.map((profile) => (
          <li>
            <ProviderCard profile={profile} performance={performanceOf(profile.profileId)} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface CardProps {
  readonly profile: Profile
  readonly performance: Performance
}

function ProviderCard({ profile, performance }: CardProps) {
  const request = useRequest()
  return (
    <article class="card provider-card">
      <div class="provider-head">
        <Logo provider={profile.provider} />
        <div>
          <h2>
            <a href={`${request.base}/providers/${profile.profileId}`}>
              <bdi>{nameOf(profile)}</bdi>
            </a>
          </h2>
          <p class="muted small">{`${providerName(request, profile.provider)} · ${profile.currency}`}</p>
        </div>
        <StatusPill profile={profile} />
      </div>
      <MethodList methods={profile.methods} />
      {performance.figures ? (
        <KeyValue rows={figureRows(request, performance.figures)} />
      ) : (
        <p class="muted small">{request.texts.providers.noPayments}</p>
      )}
      <LastError errors={performance.errors} />
      {profile.trouble && (
        <p class="trouble small">{shortText(troubleText(request, profile.trouble.diagnosis), ENTRY_SHOWN)}</p>
      )}
    </article>
  )
}

interface ChooseProps {
  readonly manifests: readonly Manifest[]
}

/** Step 1. The search filters by name and method. */
export function Choose({ manifests }: ChooseProps) {
  const { texts, base, call } = useRequest()
  const { providers } = texts
  return (
    <>
      <Steps current="choose" />
      <search>
        <form class="filter" method="get" action={`${base}/providers/add`}>
          <Field
            id="q"
            name="q"
            label={providers.search}
            value={(call.query.q ?? '').slice(0, ENTRY_SHOWN)}
            maxLength={ENTRY_SHOWN}
          />
          <Button kind="quiet">{providers.find}</Button>
        </form>
      </search>
      {manifests.length === 0 && <EmptyState title={providers.noMatch} />}
      <ul class="provider-cards">
        {manifests.map((manifest) => (
          <li>
            <Offered manifest={manifest} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Offered({ manifest }: { readonly manifest: Manifest }) {
  const request = useRequest()
  const { providers } = request.texts
  const badges = [
    manifest.sandboxOnly ? providers.sandboxOnly : providers.both,
    ...(Object.values(manifest.methods).some(({ storeMethod }) => storeMethod)
      ? [providers.savesMethods]
      : []),
    ...(manifest.ownServer ? [providers.ownServer] : []),
  ]
  return (
    <article class="card provider-card">
      <div class="provider-head">
        <Logo provider={manifest.id} />
        <h2>{manifest.name}</h2>
      </div>
      <MethodList methods={methodsOf(manifest)} />
      <p class="badges">
        {badges.map((badge) => (
          <span class="badge">{badge}</span>
        ))}
      </p>
      <a class="button quiet" href={`${request.base}/providers/add/${manifest.id}`}>
        {providers.chooseOne(manifest.name)}
      </a>
    </article>
  )
}
