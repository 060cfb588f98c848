import { currencyDigits } from '../../../base/currencies.ts'
import type { ApiError } from '../../../base/errors.ts'
import { storedMethodsAt } from '../../../customers/commands.ts'
import { profileArrivals } from '../../../inbound/arrivals.ts'
import type { Profile } from '../../../merchants/app.ts'
import { findAdapter } from '../../../merchants/profiles/adapter.ts'
import { wasProfileUsed } from '../../../merchants/profiles/commands.ts'
import { checkProfileAtProvider, type ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { notReadyReason } from '../../../merchants/profiles/ready.ts'
import { ProfilePatch } from '../../../merchants/profiles/schema.ts'
import { needsConnecting } from '../../../merchants/profiles/unproven.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import type { Manifest } from '../../../providers/port.ts'
import { configOf } from '../../../routing/config.ts'
import { codes, Fields, form, text } from '../../kit/form.tsx'
import { moneyInText } from '../../kit/format/money.tsx'
import { providerName, shortName, troubleText } from '../../kit/format/names.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time, timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { ActButton } from '../../kit/html/controls.tsx'
import { Form, GetButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue, Notice, type Row } from '../../kit/html/layout.tsx'
import { type FormErrors, sentenceErrors } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { textWith } from '../../kit/texts/texts.ts'
import { ProfileSettlements } from '../settlements/elsewhere.tsx'
import { CheckResult, LastNotification } from './check-result.tsx'
import { Connecting, EnableButton } from './connect.tsx'
import { Errors, Measures, performanceOf } from './figures.tsx'
import { NamedMethods, namedMethodsOf } from './named-methods.tsx'
import {
  MethodList,
  methodsOf,
  needsCredentials,
  profilePath,
  renderBelow,
  requestedProfile,
  StatusPill,
  settingTexts,
  useProfile,
} from './profile.tsx'
import { BASIC_FIELDS } from './setup.tsx'

/** The page of one provider. Those who may change it see a form for each of its parts. */

export const showDetail = (request: AppRequest): Promise<PageAnswer> => renderDetail(request, {})

/** A read at the provider without side effects; a refresh of the page repeats it. */
export async function showCheck(request: AppRequest): Promise<PageAnswer> {
  const check = await checkProfileAtProvider(request.ctx, request.app, requestedProfile(request))
  return renderDetail(request, { check })
}

/** What the last form or test of the connection led to. */
interface ProfileResult {
  readonly problem?: ApiError
  readonly check?: ProfileCheck
}

/** What depends on a profile. */
export async function usesOf({ ctx, app }: AppRequest, { profileId }: Profile) {
  const { defaults, routes } = configOf(app)
  return {
    hasPayments: await wasProfileUsed(ctx, app, profileId),
    routes: routes.filter(({ profiles }) => profiles.some((one) => one.profileId === profileId)).length,
    currencies: defaults.filter((one) => one.profileId === profileId).map(({ currency }) => currency),
    stored: await storedMethodsAt(ctx, app, profileId),
  }
}

export async function renderDetail(
  request: AppRequest,
  { problem, check }: ProfileResult,
): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const { providers } = texts
  const profile = requestedProfile(request)
  const adapter = findAdapter(ctx, profile)
  const mayChange = request.can('PaymentProfileWrite') && adapter !== undefined
  const errors = sentenceErrors(request, problem)
  const uses = await usesOf(request, profile)
  const performance = await performanceOf(request, profile)
  return renderBelow(request, {
    title: shortName(profile),
    status: errors.status,
    actions: mayChange && <Actions isUsed={isUsed(uses)} />,
    children: (
      <>
        <CheckResult check={check} profile={profile} isSaved />
        {!check && <NotReady />}
        {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
        <div class="columns">
          <div class="stack">
            <General errors={errors} choices={mayChange && (await general.choices(request, {}))} />
            {mayChange && <MethodOrder methods={methodsOf(adapter.manifest)} />}
            {mayChange && <NamedMethods {...(await namedMethodsOf(request, profile))} />}
            {mayChange && <FeesCard errors={errors} />}
            <Errors errors={performance.errors} />
          </div>
          <div class="stack">
            <Health uses={uses} />
            <Measures {...performance} />
            <ProfileSettlements profile={profile} />
            {mayChange && needsCredentials(adapter) && <Credentials {...adapter.manifest.settings} />}
            {mayChange && needsConnecting(adapter) && (
              <Card title={providers.notifications}>
                <Connecting
                  arrivals={await profileArrivals(ctx, app, profile.profileId)}
                  page={profilePath(request, profile)}
                  from="detail"
                />
              </Card>
            )}
          </div>
        </div>
      </>
    ),
  })
}

const isUsed = ({ hasPayments, routes, currencies, stored }: Awaited<ReturnType<typeof usesOf>>): boolean =>
  hasPayments || routes > 0 || currencies.length > 0 || stored.count > 0

function Actions({ isUsed }: { readonly isUsed: boolean }) {
  const { request, profile, path, providers } = useProfile()
  return (
    <>
      {!profile.isActive && !isUsed && (
        <QuestionButton href={`${path}/remove`} kind="danger">
          {request.texts.providerSetup.removeProfile}
        </QuestionButton>
      )}
      <GetButton href={`${path}/check`}>{providers.test}</GetButton>
      {profile.isActive && request.can('PaymentWrite') && <TestCharge />}
      {profile.isActive ? (
        <QuestionButton href={`${path}/disable`} kind="danger">
          {providers.disable}
        </QuestionButton>
      ) : (
        <EnableButton profile={profile} text={providers.enable} />
      )}
    </>
  )
}

/** A link for a payment of 1.00 that only this profile can take. In a live app the money is real. */
function TestCharge() {
  const { request, profile } = useProfile()
  const { providerSetup } = request.texts
  const fields = {
    amount: '1',
    currency: profile.currency,
    profile: String(profile.profileId),
    description: providerSetup.testCharge,
  }
  return (
    <GetButton href={`${request.base}/links/new?${new URLSearchParams(fields)}`}>
      {providerSetup.tryPayment({
        amount: moneyInText(request.language, unitOf(profile.currency), profile.currency),
      })}
    </GetButton>
  )
}

const unitOf = (currency: string): bigint => 10n ** BigInt(currencyDigits(currency))

/** Why the provider cannot take payments yet. */
function NotReady() {
  const { request, profile, adapter, providers } = useProfile()
  const reason = adapter && notReadyReason(request.ctx, request.app, profile)
  if (reason === undefined) return null
  return (
    <Notice kind="bad" title={providers.unreadyTitle}>
      <p>{providers.notReady[reason.code]}</p>
    </Notice>
  )
}

function factRows(request: AppRequest): Row[] {
  const { providers } = request.texts
  const profile = requestedProfile(request)
  const adapter = findAdapter(request.ctx, profile)
  const last: Row = [providers.lastNotification, <LastNotification profile={profile} />]
  return [
    [providers.provider, providerName(request, profile.provider)],
    [providers.status, <StatusPill profile={profile} />],
    [providers.created, <Time time={profile.createdTime} />],
    ...(adapter && needsConnecting(adapter) ? [last] : []),
  ]
}

const GENERAL_FIELDS = [...BASIC_FIELDS, codes('currencies', { optional: true, maxLength: 1_000 })]
const general = form(ProfilePatch, GENERAL_FIELDS)

interface GeneralProps {
  readonly errors: FormErrors
  /** False: the person may look but not change. */
  readonly choices: Awaited<ReturnType<typeof general.choices>> | false
}

function General({ errors, choices }: GeneralProps) {
  const { request, profile, path, providers } = useProfile()
  const { fields } = providers
  const facts: readonly Row[] = [
    [fields.currency.label, profile.currency],
    [fields.currencies.label, profile.currencies?.join(' ') ?? providers.everyCurrency],
    [providers.methods, <MethodList methods={profile.methods} />],
  ]
  return (
    <Card title={providers.general}>
      <KeyValue rows={[...factRows(request), ...(choices ? [] : facts)]} />
      {choices && (
        <Form action={path} button={request.texts.frame.save}>
          <Fields
            fields={GENERAL_FIELDS}
            texts={fields}
            values={{ ...general.stored(profile), ...Object.fromEntries(request.call.form) }}
            errors={errors}
            choices={choices}
          />
        </Form>
      )}
    </Card>
  )
}

/** Each button moves, removes or adds one method. `methods` are those of the provider. */
function MethodOrder({ methods }: { readonly methods: readonly AnyMethod[] }) {
  const { profile, path, providers } = useProfile()
  const chosen = profile.methods
  const others = methods.filter((kind) => !chosen.includes(kind))
  const button = (act: 'up' | 'down' | 'remove', kind: AnyMethod, sign: string) => (
    <ActButton
      act={`${act}:${kind}`}
      text={providers[act]({ name: providers.methodNames[kind] })}
      sign={sign}
    />
  )
  return (
    <Card title={providers.methodOrder}>
      <p class="muted small">{providers.methodOrderHint}</p>
      <Form action={`${path}/methods`}>
        <ol class="ordered">
          {chosen.map((kind, place) => (
            <li id={`method-${kind}`}>
              <MethodList methods={[kind]} />
              <span class="row-buttons">
                {place > 0 && button('up', kind, '↑')}
                {place < chosen.length - 1 && button('down', kind, '↓')}
                {chosen.length > 1 && button('remove', kind, '×')}
              </span>
            </li>
          ))}
        </ol>
        {others.length > 0 && (
          <div class="buttons">
            {others.map((kind) => (
              <ActButton
                act={`add:${kind}`}
                text={providers.addMethod({ name: providers.methodNames[kind] })}
              />
            ))}
          </div>
        )}
      </Form>
    </Card>
  )
}

/** Fees of the merchant's contracts. With them the API previews the cost of a payment. */
export const FEES = [
  'providerInitialFee',
  'providerPercentageFee',
  'appInitialFee',
  'appPercentageFee',
] as const
const FEE_FIELDS = FEES.map((name) => text(name, { maxLength: 14, numeric: true }))
const fees = form(ProfilePatch, FEE_FIELDS)

function FeesCard({ errors }: { readonly errors: FormErrors }) {
  const { request, profile, path, providers } = useProfile()
  const labels = FEES.map((name) => [
    name,
    { label: textWith(providers.feeNames[name], { currency: profile.currency }) },
  ])
  return (
    <Card title={providers.feesTitle}>
      <p class="muted small">{providers.feesHint}</p>
      <Form action={`${path}/fees`} button={request.texts.frame.save}>
        <Fields
          fields={FEE_FIELDS}
          texts={Object.fromEntries(labels)}
          values={{ ...fees.stored(profile.fees ?? {}), ...Object.fromEntries(request.call.form) }}
          errors={errors}
        />
      </Form>
    </Card>
  )
}

function Health({ uses }: { readonly uses: Awaited<ReturnType<typeof usesOf>> }) {
  const { request, profile, providers } = useProfile()
  const { trouble } = profile
  const { routes, currencies, stored } = uses
  const dependants = [
    routes > 0 && providers.routesUsing({ count: routes }),
    currencies.length > 0 && providers.defaultFor({ currencies: currencies.slice(0, 20).join(', ') }),
    stored.count > 0 && providers.storedMethods({ count: stored.count, isMore: stored.count >= stored.most }),
  ]
  return (
    <Card title={providers.health}>
      {trouble ? (
        <div class="trouble">
          <p>{shortText(troubleText(request, trouble.diagnosis), ENTRY_SHOWN)}</p>
          <p class="small">{providers.probed({ time: timeIn(request, trouble.until, 'second') })}</p>
        </div>
      ) : (
        <p>{providers.healthy}</p>
      )}
      <KeyValue rows={[[providers.dependants, dependants.filter(Boolean).join(', ') || providers.nothing]]} />
      {request.can('PaymentRead') && (
        <a href={`${request.base}/payments?provider=${profile.profileId}&state=Failed`}>
          {providers.failedPayments}
        </a>
      )}
    </Card>
  )
}

function Credentials({ fields }: Manifest['settings']) {
  const { request, profile, path, providers } = useProfile()
  const masked = maskedSettings(request.ctx, profile)
  return (
    <Card title={providers.credentials}>
      <KeyValue
        rows={fields.map((field) => [
          settingTexts(request, profile.provider, field).label,
          masked[field.name] ? (
            <code>{masked[field.name]}</code>
          ) : (
            <span class="muted">{providers.notSet}</span>
          ),
        ])}
      />
      <p class="muted small">{providers.credentialsHint}</p>
      <GetButton href={`${path}/credentials`}>{providers.replace}</GetButton>
    </Card>
  )
}
