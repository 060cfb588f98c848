import type { Profile } from '../../../merchants/app.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { KeyValue } from '../../kit/html/layout.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { Manifest } from '../../../providers/port.ts'
import type { AppVisit } from '../frame/visit.ts'
import { EmptyState } from '../parts/table.tsx'
import { troubleText } from '../routing/words.ts'
import { methodsOf } from './draft.ts'
import { figureRows, LastError, type Performance } from './figures.tsx'
import { Logo, MethodList, nameOf, providerName, StatusPill } from './parts.tsx'
import { Steps } from './steps.tsx'

interface CardsProps {
  readonly visit: AppVisit
  readonly performanceOf: (profileId: number) => Performance
}

export function ProviderCards({ visit, performanceOf }: CardsProps) {
  const { app, texts } = visit
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
            <ProviderCard visit={visit} profile={profile} performance={performanceOf(profile.profileId)} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface CardProps {
  readonly visit: AppVisit
  readonly profile: Profile
  readonly performance: Performance
}

function ProviderCard({ visit, profile, performance }: CardProps) {
  return (
    <article class="card provider-card">
      <div class="provider-head">
        <Logo provider={profile.provider} />
        <div>
          <h2>
            <a href={`${visit.base}/providers/${profile.profileId}`}>
              <bdi>{nameOf(profile)}</bdi>
            </a>
          </h2>
          <p class="muted small">{`${providerName(visit, profile)} · ${profile.currency}`}</p>
        </div>
        <StatusPill visit={visit} profile={profile} />
      </div>
      <MethodList visit={visit} methods={profile.methods} />
      {performance.figures ? (
        <KeyValue rows={figureRows(visit, performance.figures)} />
      ) : (
        <p class="muted small">{visit.texts.providers.noPayments}</p>
      )}
      <LastError visit={visit} errors={performance.errors} />
      {profile.trouble && (
        <p class="trouble small">{shortText(troubleText(visit, profile.trouble.diagnosis), ENTRY_SHOWN)}</p>
      )}
    </article>
  )
}

interface ChooseProps {
  readonly visit: AppVisit
  readonly manifests: readonly Manifest[]
}

/** Step 1. The search filters by name and method. */
export function Choose({ visit, manifests }: ChooseProps) {
  const { texts, base, call } = visit
  const { providers } = texts
  return (
    <>
      <Steps visit={visit} current="choose" />
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
            <Offered visit={visit} manifest={manifest} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Offered({ visit, manifest }: { readonly visit: AppVisit; readonly manifest: Manifest }) {
  const { providers } = visit.texts
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
      <MethodList visit={visit} methods={methodsOf(manifest)} />
      <p class="badges">
        {badges.map((badge) => (
          <span class="badge">{badge}</span>
        ))}
      </p>
      <a class="button quiet" href={`${visit.base}/providers/add/${manifest.id}`}>
        {providers.chooseOne(manifest.name)}
      </a>
    </article>
  )
}
