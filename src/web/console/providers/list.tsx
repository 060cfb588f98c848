import type { Profile } from '../../../merchants/app.ts'
import type { Manifest } from '../../../providers/port.ts'
import { providerName, shortName, troubleText } from '../../kit/format/names.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Button, Field } from '../../kit/html/controls.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { KeyValue } from '../../kit/html/layout.tsx'
import { EmptyState } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { figureRows, LastError, type Performance, performanceOfAll } from './figures.tsx'
import { isUsable, Logo, MethodList, methodsOf, renderBelow, StatusPill } from './profile.tsx'
import { Steps } from './setup.tsx'

export async function showList(request: AppRequest): Promise<PageAnswer> {
  const { app, base, texts } = request
  const { providers } = texts
  const performanceOf = await performanceOfAll(request)
  return renderScreen(request, {
    name: 'providers',
    title: providers.title,
    actions: request.can('PaymentProfileWrite') && (
      <GetButton href={`${base}/providers/add`} kind="primary">
        {providers.add}
      </GetButton>
    ),
    children:
      app.profiles.length === 0 ? (
        <EmptyState title={providers.empty}>
          <p>{app.isSandbox ? providers.emptySandbox : providers.emptyBody}</p>
        </EmptyState>
      ) : (
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
      ),
  })
}

function ProviderCard(props: { readonly profile: Profile; readonly performance: Performance }) {
  const request = useRequest()
  const { profile, performance } = props
  return (
    <article class="card provider-card">
      <div class="provider-head">
        <Logo provider={profile.provider} />
        <div>
          <h2>
            <a href={`${request.base}/providers/${profile.profileId}`}>
              <bdi>{shortName(profile)}</bdi>
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

/** Step 1 of adding a provider. The search filters by name and method. */
export function showChoices(request: AppRequest): PageAnswer {
  const { ctx, app, base, call, texts } = request
  const { providers } = texts
  const words = (call.query.q ?? '').trim().toLowerCase().split(/\s+/).filter(Boolean)
  const manifests = [...ctx.providers.values()]
    .map(({ manifest }) => manifest)
    .filter((manifest) => isUsable(manifest, app.isSandbox))
    .filter((manifest) => words.every((word) => searchText(request, manifest).includes(word)))
    .sort((a, b) => a.name.localeCompare(b.name))
  return renderBelow(request, {
    title: providers.chooseTitle,
    children: (
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
    ),
  })
}

function searchText({ texts }: AppRequest, manifest: Manifest): string {
  const methods = methodsOf(manifest).map((kind) => texts.providers.methodNames[kind])
  return [manifest.name, manifest.id, ...methods].join(' ').toLowerCase()
}

function Offered({ manifest }: { readonly manifest: Manifest }) {
  const { base, texts } = useRequest()
  const { providers } = texts
  const savesMethods = Object.values(manifest.methods).some(({ storeMethod }) => storeMethod)
  const badges = [
    manifest.sandboxOnly ? providers.sandboxOnly : providers.both,
    savesMethods && providers.savesMethods,
    manifest.ownServer && providers.ownServer,
  ]
  return (
    <article class="card provider-card">
      <div class="provider-head">
        <Logo provider={manifest.id} />
        <h2>{manifest.name}</h2>
      </div>
      <MethodList methods={methodsOf(manifest)} />
      <p class="badges">{badges.map((badge) => badge && <span class="badge">{badge}</span>)}</p>
      <a class="button quiet" href={`${base}/providers/add/${manifest.id}`}>
        {providers.chooseOne({ name: manifest.name })}
      </a>
    </article>
  )
}
