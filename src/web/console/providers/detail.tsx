import { Card, KeyValue, Notice, type Row } from '../../kit/html/layout.tsx'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { storedMethodsAt } from '../../../customers/commands.ts'
import type { Profile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import type { ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { profileArrivals } from '../../../notifications/arrivals.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { MethodKind } from '../../../providers/outcome.ts'
import type { Manifest } from '../../../providers/port.ts'
import { configOf } from '../../../routing/config.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { fieldError, type FormErrors, NO_ERRORS } from '../../kit/refusal.ts'
import { AskButton, Form, GetButton, PostButton } from '../../kit/html/forms.tsx'
import { Time, timeIn } from '../../kit/format/time.tsx'
import { troubleText } from '../routing/words.ts'
import { Connecting } from './connect.tsx'
import { currenciesOf, methodsOf, requestedProfile } from './draft.ts'
import { FeesCard } from './fees.tsx'
import { performanceCards } from './figures.tsx'
import { LastNotification, MethodList, NotReady, nameOf, StatusPill } from './parts.tsx'
import { CheckResult, crumbsOf, noteOf, profilePath } from './setup.tsx'
import { needsConnecting, needsCredentials } from './steps.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

export interface DetailState {
  readonly errors?: FormErrors
  readonly check?: ProfileCheck
}

/** What depends on a profile. */
export async function usesOf({ ctx, app }: AppRequest, { profileId }: Profile) {
  const { defaults, routes } = configOf(app)
  return {
    routes: routes.filter(({ profiles }) => profiles.some((one) => one.profileId === profileId)).length,
    currencies: defaults.filter((one) => one.profileId === profileId).map(({ currency }) => currency),
    stored: await storedMethodsAt(ctx, app, profileId),
  }
}
type Uses = Awaited<ReturnType<typeof usesOf>>

export async function renderDetail(
  request: AppRequest,
  { errors = NO_ERRORS, check }: DetailState,
): Promise<PageAnswer> {
  const profile = requestedProfile(request)
  const uses = await usesOf(request, profile)
  const manifest = findAdapter(request.ctx, profile)?.manifest
  const mayChange = request.can('PaymentProfileWrite') && manifest !== undefined
  const parts = { request, profile, errors }
  const { measures, failures } = await performanceCards(request, profile)
  return renderScreen(request, {
    name: 'providers',
    title: nameOf(profile),
    crumbs: crumbsOf(request),
    flash: noteOf(request),
    status: errors.status,
    actions: <Actions profile={profile} mayChange={mayChange} />,
    children: (
      <>
        <CheckResult profile={profile} check={check} />
        {!check && <NotReady profile={profile} />}
        {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
        <div class="columns">
          <div class="stack">
            {mayChange ? <General {...parts} manifest={manifest} /> : <Facts {...parts} />}
            {mayChange && <MethodOrder {...parts} manifest={manifest} />}
            {mayChange && <FeesCard {...parts} />}
            {failures}
          </div>
          <div class="stack">
            <Health {...parts} uses={uses} />
            {measures}
            {mayChange && <Credentials {...parts} />}
            {mayChange && (await notifications(request, profile))}
          </div>
        </div>
      </>
    ),
  })
}

interface PartProps {
  readonly profile: Profile
  readonly errors: FormErrors
}

function Actions({ profile, mayChange }: Omit<PartProps, 'errors'> & { readonly mayChange: boolean }) {
  const request = useRequest()
  const { providers } = request.texts
  const path = profilePath(request, profile)
  if (!mayChange) return null
  return (
    <>
      <GetButton href={`${path}/check`}>{providers.test}</GetButton>
      {profile.isActive ? (
        <AskButton href={`${path}/disable`} kind="danger">
          {providers.disable}
        </AskButton>
      ) : (
        <PostButton action={`${path}/enable`} kind="primary">
          {providers.enable}
        </PostButton>
      )}
    </>
  )
}

function factRows(request: AppRequest, profile: Profile): Row[] {
  const { providers } = request.texts
  const adapter = findAdapter(request.ctx, profile)
  const last: Row = [providers.lastNotification, <LastNotification profile={profile} />]
  return [
    [providers.provider, providerName(request, profile.provider)],
    [providers.status, <StatusPill profile={profile} />],
    [providers.created, <Time time={profile.createdTime} />],
    ...(adapter && needsConnecting(adapter) ? [last] : []),
  ]
}

/** For people who may look but not change. */
function Facts({ profile }: PartProps) {
  const request = useRequest()
  const { providers } = request.texts
  return (
    <Card title={providers.general}>
      <KeyValue
        rows={[
          ...factRows(request, profile),
          [providers.currency, profile.currency],
          [providers.onlyCurrencies, profile.currencies?.join(' ') ?? providers.everyCurrency],
          [providers.methods, <MethodList methods={profile.methods} />],
        ]}
      />
    </Card>
  )
}

type ChangeProps = PartProps & { readonly manifest: Manifest }

function General({ profile, errors, manifest }: ChangeProps) {
  const request = useRequest()
  const { texts, call } = request
  const { providers } = texts
  const typed = (name: string, value: string) => call.form.get(name) ?? value
  const nameError = errors.of('name')
  const listError = fieldError(providers.onlyCurrencies, errors.of('currencies'))
  return (
    <Card title={providers.general}>
      <KeyValue rows={factRows(request, profile)} />
      <Form action={profilePath(request, profile)}>
        <Field
          id="name"
          name="name"
          label={providers.name}
          hint={providers.nameWarning}
          value={typed('name', profile.name)}
          maxLength={200}
          required
          {...(nameError ? { error: nameError } : {})}
        />
        <Select
          id="currency"
          name="currency"
          label={providers.currency}
          options={currenciesOf(manifest).map((code) => ({ value: code, label: code }))}
          value={typed('currency', profile.currency)}
          error={fieldError(providers.currency, errors.of('currency'))}
        />
        <Field
          id="currencies"
          name="currencies"
          label={`${providers.onlyCurrencies} (${texts.frame.optional})`}
          hint={providers.onlyCurrenciesHint}
          value={typed('currencies', profile.currencies?.join(' ') ?? '')}
          maxLength={1_000}
          {...(listError ? { error: listError } : {})}
        />
        <div class="buttons">
          <Button>{texts.frame.save}</Button>
        </div>
      </Form>
    </Card>
  )
}

/** Each button moves, removes or adds one method. */
function MethodOrder({ profile, manifest }: ChangeProps) {
  const request = useRequest()
  const { providers } = request.texts
  const others = methodsOf(manifest).filter((kind) => !profile.methods.includes(kind))
  const button = (act: string, kind: MethodKind, sign: string) => (
    <Button kind="quiet" name="act" value={`${act}:${kind}`}>
      <span class="visually-hidden">{labelOf(request, act, kind)}</span>
      <span aria-hidden="true">{sign}</span>
    </Button>
  )
  return (
    <Card title={providers.methodOrder}>
      <p class="muted small">{providers.methodOrderHint}</p>
      <Form action={`${profilePath(request, profile)}/methods`}>
        <ol class="ordered">
          {profile.methods.map((kind, place) => (
            <li id={`method-${kind}`}>
              <MethodList methods={[kind]} />
              <span class="row-buttons">
                {place > 0 && button('up', kind, '↑')}
                {place < profile.methods.length - 1 && button('down', kind, '↓')}
                {profile.methods.length > 1 && button('remove', kind, '×')}
              </span>
            </li>
          ))}
        </ol>
        {others.length > 0 && (
          <div class="buttons">
            {others.map((kind) => (
              <Button kind="quiet" name="act" value={`add:${kind}`}>
                {providers.addMethod(providers.methodNames[kind])}
              </Button>
            ))}
          </div>
        )}
      </Form>
    </Card>
  )
}

function labelOf({ texts: { providers } }: AppRequest, act: string, kind: MethodKind): string {
  const name = providers.methodNames[kind]
  return act === 'up' ? providers.up(name) : act === 'down' ? providers.down(name) : providers.remove(name)
}

function Health({ profile, uses }: PartProps & { readonly uses: Uses }) {
  const request = useRequest()
  const { providers } = request.texts
  const { trouble } = profile
  const dependants = [
    ...(uses.routes > 0 ? [providers.routesUsing(uses.routes)] : []),
    ...(uses.currencies.length > 0 ? [providers.defaultFor(uses.currencies.slice(0, 20).join(', '))] : []),
    ...(uses.stored.count > 0
      ? [providers.storedMethods(uses.stored.count, uses.stored.count >= uses.stored.most)]
      : []),
  ]
  return (
    <Card title={providers.health}>
      {trouble ? (
        <div class="trouble">
          <p>{shortText(troubleText(request, trouble.diagnosis), ENTRY_SHOWN)}</p>
          <p class="small">{providers.probed(timeIn(request, trouble.until, 'second'))}</p>
        </div>
      ) : (
        <p>{providers.healthy}</p>
      )}
      <KeyValue rows={[[providers.dependants, dependants.join(', ') || providers.nothing]]} />
      {request.can('PaymentRead') && (
        <a href={`${request.base}/payments?provider=${profile.profileId}&state=Failed`}>
          {providers.failedPayments}
        </a>
      )}
    </Card>
  )
}

function Credentials({ profile }: PartProps) {
  const request = useRequest()
  const { providers } = request.texts
  const adapter = findAdapter(request.ctx, profile)
  if (!adapter || !needsCredentials(adapter)) return null
  const masked = maskedSettings(request.ctx, profile)
  return (
    <Card title={providers.credentials}>
      <KeyValue
        rows={adapter.manifest.settings.fields.map(({ name, label }) => [
          label,
          masked[name] ? <code>{masked[name]}</code> : <span class="muted">{providers.notSet}</span>,
        ])}
      />
      <p class="muted small">{providers.credentialsHint}</p>
      <GetButton href={`${profilePath(request, profile)}/credentials`}>{providers.replace}</GetButton>
    </Card>
  )
}

async function notifications(request: AppRequest, profile: Profile) {
  const adapter = findAdapter(request.ctx, profile)
  if (!adapter || !needsConnecting(adapter)) return null
  const arrivals = await profileArrivals(request.ctx, request.app, profile.profileId)
  const page = profilePath(request, profile)
  return (
    <Card title={request.texts.providers.notifications}>
      <Connecting profile={profile} arrivals={arrivals} page={page} from="detail" />
    </Card>
  )
}
