import { storedMethodsAt } from '../../../customers/commands.ts'
import type { Profile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import type { ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { profileArrivals } from '../../../notifications/arrivals.ts'
import type { MethodKind } from '../../../providers/outcome.ts'
import type { Manifest } from '../../../providers/port.ts'
import { configOf } from '../../../routing/config.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Card, KeyValue, Notice, type Row } from '../../kit/html/layout.tsx'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Pick } from '../parts/choices.tsx'
import { type FormErrors, NO_ERRORS } from '../parts/form-errors.ts'
import { AskButton, Form, GetButton, PostButton } from '../parts/forms.tsx'
import { Time, timeIn } from '../parts/time.tsx'
import { troubleText } from '../routing/words.ts'
import { Connecting } from './connect.tsx'
import { currenciesOf, methodsOf, requestedProfile } from './draft.ts'
import { FeesCard } from './fees.tsx'
import { performanceCards } from './figures.tsx'
import {
  LastNotification,
  MethodList,
  NotReady,
  nameOf,
  problemText,
  providerName,
  StatusPill,
} from './parts.tsx'
import { CheckResult, crumbsOf, noteOf, profilePath } from './setup.tsx'
import { needsConnecting, needsCredentials } from './steps.tsx'

export interface DetailState {
  readonly errors?: FormErrors
  readonly check?: ProfileCheck
}

/** What depends on a profile. */
export async function usesOf({ ctx, app }: AppVisit, { profileId }: Profile) {
  const { defaults, routes } = configOf(app)
  return {
    routes: routes.filter(({ profiles }) => profiles.some((one) => one.profileId === profileId)).length,
    currencies: defaults.filter((one) => one.profileId === profileId).map(({ currency }) => currency),
    stored: await storedMethodsAt(ctx, app, profileId),
  }
}
type Uses = Awaited<ReturnType<typeof usesOf>>

export async function drawDetail(
  visit: AppVisit,
  { errors = NO_ERRORS, check }: DetailState,
): Promise<PageAnswer> {
  const profile = requestedProfile(visit)
  const uses = await usesOf(visit, profile)
  const manifest = findAdapter(visit.ctx, profile)?.manifest
  const mayChange = visit.can('PaymentProfileWrite') && manifest !== undefined
  const parts = { visit, profile, errors }
  const { measures, failures } = await performanceCards(visit, profile)
  return drawScreen(visit, {
    name: 'providers',
    title: nameOf(profile),
    crumbs: crumbsOf(visit),
    flash: noteOf(visit),
    status: errors.status,
    actions: <Actions visit={visit} profile={profile} mayChange={mayChange} />,
    children: (
      <>
        <CheckResult visit={visit} profile={profile} check={check} />
        {!check && <NotReady visit={visit} profile={profile} />}
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
            {mayChange && (await notifications(visit, profile))}
          </div>
        </div>
      </>
    ),
  })
}

interface PartProps {
  readonly visit: AppVisit
  readonly profile: Profile
  readonly errors: FormErrors
}

function Actions({ visit, profile, mayChange }: Omit<PartProps, 'errors'> & { readonly mayChange: boolean }) {
  const { providers } = visit.texts
  const path = profilePath(visit, profile)
  if (!mayChange) return null
  return (
    <>
      <GetButton href={`${path}/check`}>{providers.test}</GetButton>
      {profile.isActive ? (
        <AskButton href={`${path}/disable`} kind="danger">
          {providers.disable}
        </AskButton>
      ) : (
        <PostButton visit={visit} action={`${path}/enable`} kind="primary">
          {providers.enable}
        </PostButton>
      )}
    </>
  )
}

function factRows({ visit, profile }: Omit<PartProps, 'errors'>): Row[] {
  const { providers } = visit.texts
  const adapter = findAdapter(visit.ctx, profile)
  const last: Row = [providers.lastNotification, <LastNotification visit={visit} profile={profile} />]
  return [
    [providers.provider, providerName(visit, profile)],
    [providers.status, <StatusPill visit={visit} profile={profile} />],
    [providers.created, <Time visit={visit} time={profile.createdTime} />],
    ...(adapter && needsConnecting(adapter) ? [last] : []),
  ]
}

/** For people who may look but not change. */
function Facts({ visit, profile }: PartProps) {
  const { providers } = visit.texts
  return (
    <Card title={providers.general}>
      <KeyValue
        rows={[
          ...factRows({ visit, profile }),
          [providers.currency, profile.currency],
          [providers.onlyCurrencies, profile.currencies?.join(' ') ?? providers.everyCurrency],
          [providers.methods, <MethodList visit={visit} methods={profile.methods} />],
        ]}
      />
    </Card>
  )
}

type ChangeProps = PartProps & { readonly manifest: Manifest }

function General({ visit, profile, errors, manifest }: ChangeProps) {
  const { texts, call } = visit
  const { providers } = texts
  const typed = (name: string, value: string) => call.form.get(name) ?? value
  const nameError = errors.of('name')
  const listError = problemText(providers.onlyCurrencies, errors.of('currencies'))
  return (
    <Card title={providers.general}>
      <KeyValue rows={factRows({ visit, profile })} />
      <Form visit={visit} action={profilePath(visit, profile)}>
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
        <Pick
          id="currency"
          name="currency"
          label={providers.currency}
          options={currenciesOf(manifest).map((code) => ({ value: code, label: code }))}
          value={typed('currency', profile.currency)}
          error={problemText(providers.currency, errors.of('currency'))}
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
function MethodOrder({ visit, profile, manifest }: ChangeProps) {
  const { providers } = visit.texts
  const others = methodsOf(manifest).filter((kind) => !profile.methods.includes(kind))
  const button = (act: string, kind: MethodKind, sign: string) => (
    <Button kind="quiet" name="act" value={`${act}:${kind}`}>
      <span class="visually-hidden">{labelOf(visit, act, kind)}</span>
      <span aria-hidden="true">{sign}</span>
    </Button>
  )
  return (
    <Card title={providers.methodOrder}>
      <p class="muted small">{providers.methodOrderHint}</p>
      <Form visit={visit} action={`${profilePath(visit, profile)}/methods`}>
        <ol class="ordered">
          {profile.methods.map((kind, place) => (
            <li id={`method-${kind}`}>
              <MethodList visit={visit} methods={[kind]} />
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

function labelOf({ texts: { providers } }: AppVisit, act: string, kind: MethodKind): string {
  const name = providers.methodNames[kind]
  return act === 'up' ? providers.up(name) : act === 'down' ? providers.down(name) : providers.remove(name)
}

function Health({ visit, profile, uses }: PartProps & { readonly uses: Uses }) {
  const { providers } = visit.texts
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
          <p>{shortText(troubleText(visit, trouble.says), ENTRY_SHOWN)}</p>
          <p class="small">{providers.probed(timeIn(visit, trouble.until, 'second'))}</p>
        </div>
      ) : (
        <p>{providers.healthy}</p>
      )}
      <KeyValue rows={[[providers.dependants, dependants.join(', ') || providers.nothing]]} />
      {visit.can('PaymentRead') && (
        <a href={`${visit.base}/payments?provider=${profile.profileId}&state=Failed`}>
          {providers.failedPayments}
        </a>
      )}
    </Card>
  )
}

function Credentials({ visit, profile }: PartProps) {
  const { providers } = visit.texts
  const adapter = findAdapter(visit.ctx, profile)
  if (!adapter || !needsCredentials(adapter)) return null
  const masked = maskedSettings(visit.ctx, profile)
  return (
    <Card title={providers.credentials}>
      <KeyValue
        rows={adapter.manifest.settings.fields.map(({ name, label }) => [
          label,
          masked[name] ? <code>{masked[name]}</code> : <span class="muted">{providers.notSet}</span>,
        ])}
      />
      <p class="muted small">{providers.credentialsHint}</p>
      <GetButton href={`${profilePath(visit, profile)}/credentials`}>{providers.replace}</GetButton>
    </Card>
  )
}

async function notifications(visit: AppVisit, profile: Profile) {
  const adapter = findAdapter(visit.ctx, profile)
  if (!adapter || !needsConnecting(adapter)) return null
  const arrivals = await profileArrivals(visit.ctx, visit.app, profile.profileId)
  const page = profilePath(visit, profile)
  return (
    <Card title={visit.texts.providers.notifications}>
      <Connecting visit={visit} profile={profile} arrivals={arrivals} page={page} from="detail" />
    </Card>
  )
}
