import type { ApiError } from '../../../base/errors.ts'
import { type Arrivals, profileArrivals } from '../../../inbound/arrivals.ts'
import type { Profile } from '../../../merchants/app.ts'
import { forgetApp, loadApp } from '../../../merchants/directory.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { checkProfileAtProvider, connectProfile } from '../../../merchants/profiles/connect.ts'
import { unprovenOf } from '../../../merchants/profiles/unproven.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { notifyUrl } from '../../../merchants/urls.ts'
import { providerName, shortName } from '../../kit/format/names.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Form, GetButton, PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Icon } from '../../kit/html/icons.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { renderPart, useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { CheckResult } from './check-result.tsx'
import {
  MethodList,
  profilePath,
  renderBelow,
  requestedProfile,
  settingTexts,
  useProfile,
} from './profile.tsx'
import { Steps } from './setup.tsx'

/** Steps 3 and 4 of adding a provider: its notifications, and the review that turns it on. */

export const showConnect = (request: AppRequest): Promise<PageAnswer> => renderConnect(request)

export function connect(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  return retryForm(
    async () => {
      await connectProfile(ctx, app, profile)
      return seeOther(`${call.form.get('from') === 'detail' ? path : `${path}/connect`}?note=connected`)
    },
    (problem) => renderConnect(request, problem),
  )
}

async function renderConnect(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  const arrivals = await profileArrivals(ctx, app, profile.profileId)
  const isDone = arrivals.hasVerified || call.query.note === 'connected'
  const { status, message } = sentenceErrors(request, problem)
  return renderBelow(request, {
    title: texts.providers.setUp({ name: shortName(profile) }),
    status,
    children: (
      <>
        <Steps current="connectStep" />
        <Card class="form-card" title={texts.providers.notifications}>
          {message !== '' && <Notice kind="bad" title={message} />}
          <Connecting arrivals={arrivals} page={`${path}/connect`} kind={isDone ? 'quiet' : 'primary'} />
        </Card>
        <GetButton href={`${path}/review`} kind={isDone ? 'primary' : 'quiet'}>
          {texts.providers.goOn}
        </GetButton>
      </>
    ),
  })
}

interface ConnectingProps extends ArrivalsProps {
  readonly kind?: 'primary' | 'quiet'
  readonly from?: 'detail' | 'setup'
}

/** The address to paste, the button that registers it, and whether notifications arrive. */
export function Connecting({ arrivals, page, kind = 'quiet', from = 'setup' }: ConnectingProps) {
  const { request, profile, path, providers } = useProfile()
  const { connect, connectHelp, manifest } = adapterOf(request.ctx, profile)
  const poll = `${path}/arrivals?page=${encodeURIComponent(page)}`
  return (
    <>
      <p>{providers.connectBody({ name: manifest.name })}</p>
      <p class="label">{providers.address}</p>
      <CopyText text={notifyUrl(request.ctx, profile)} label={providers.address} />
      {connect && (
        <Form action={`${path}/connect`} hidden={{ from }} button={providers.connect} buttonKind={kind}>
          <p class="muted small">{providers.connectHelp({ name: manifest.name })}</p>
        </Form>
      )}
      {connectHelp && (
        <p class="muted small">
          {connect && `${providers.byHand}: `}
          {textNamed(providers.connectHelps, profile.provider) ?? <span lang="en">{connectHelp}</span>}
        </p>
      )}
      <div class="arrivals" role="status" data-poll={arrivals.hasVerified ? undefined : poll}>
        <ArrivalText arrivals={arrivals} page={page} />
      </div>
    </>
  )
}

interface ArrivalsProps {
  readonly arrivals: Arrivals
  /** Where "Refresh" leads. */
  readonly page: string
}

/** Whether notifications arrive. With script it is asked again until one has. */
function ArrivalText({ arrivals, page }: ArrivalsProps) {
  const { request, profile, providers } = useProfile()
  if (arrivals.hasVerified)
    return (
      <p class="arrived" data-poll-done="yes">
        <Icon name="check" />
        {providers.arrived}
      </p>
    )
  return (
    <>
      <p>{arrivals.hasForged ? providers.forged : providers.waiting}</p>
      {!arrivals.hasForged && (
        <p class="muted small">{providers.waitingHint({ name: providerName(request, profile.provider) })}</p>
      )}
      <p>
        <a href={page}>{providers.refresh}</a>
      </p>
    </>
  )
}

/** The part of the page that tells whether notifications arrive, for the script that asks again. */
export async function showArrivals(request: AppRequest): Promise<PageAnswer> {
  const profile = requestedProfile(request)
  const arrivals = await profileArrivals(request.ctx, request.app, profile.profileId)
  const path = profilePath(request, profile)
  const page = request.call.query.page === `${path}/connect` ? `${path}/connect` : path
  return renderPart(request, <ArrivalText arrivals={arrivals} page={page} />)
}

/** The settings are tested again: the answer decides whether the profile is turned on without a question. */
export async function showReview(request: AppRequest): Promise<PageAnswer> {
  const { texts, ctx, app } = request
  const { providers } = texts
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  const check = await checkProfileAtProvider(ctx, app, profile)
  // A notification may have arrived since the app was read.
  forgetApp(ctx, app.appId)
  const latest = (await loadApp(ctx, app.appId))?.profiles.find(
    ({ profileId }) => profileId === profile.profileId,
  )
  const tested = { ...(latest ?? profile), acceptedTime: check.ok ? ctx.clock.now() : null }
  const { fields } = adapterOf(ctx, profile).manifest.settings
  const labelOf = (name: string) => {
    const field = fields.find((one) => one.name === name)
    return field ? settingTexts(request, profile.provider, field).label : name
  }
  const masked = Object.entries(maskedSettings(ctx, profile))
  return renderBelow(request, {
    title: providers.reviewTitle({ name: shortName(profile) }),
    children: (
      <>
        <Steps current="review" />
        <Card class="form-card">
          <CheckResult check={check} profile={profile} isSaved />
          <KeyValue
            rows={[
              [providers.fields.name.label, <bdi>{shortName(profile)}</bdi>],
              [providers.provider, providerName(request, profile.provider)],
              [providers.fields.currency.label, profile.currency],
              [providers.methods, <MethodList methods={profile.methods} />],
              ...masked.map(([name, mask]) => [labelOf(name), <code>{mask}</code>] as const),
            ]}
          />
          <div class="buttons">
            <EnableButton profile={tested} text={providers.finish} />
            <GetButton href={`${path}/review`}>{providers.test}</GetButton>
            <a href={path}>{providers.later}</a>
          </div>
        </Card>
      </>
    ),
  })
}

interface EnableButtonProps {
  readonly profile: Profile
  readonly text: string
}

/** A question first, where something is not proven. */
export function EnableButton({ profile, text }: EnableButtonProps) {
  const request = useRequest()
  const path = `${profilePath(request, profile)}/enable`
  return unprovenOf(request.ctx, profile).length > 0 ? (
    <QuestionButton href={path} kind="primary">
      {text}
    </QuestionButton>
  ) : (
    <PostButton action={path} kind="primary">
      {text}
    </PostButton>
  )
}
