import type { Profile } from '../../../merchants/app.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { connectProfile } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { notifyUrl } from '../../../merchants/urls.ts'
import { type Arrivals, profileArrivals } from '../../../notifications/arrivals.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { Form, GetButton } from '../../kit/html/forms.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { requestedProfile } from './draft.ts'
import { ArrivalStatus, MethodList, nameOf } from './parts.tsx'
import { crumbsOf, noteOf, profilePath } from './setup.tsx'
import { Steps } from './steps.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

/** Steps 3 and 4 of adding a provider: its notifications, and the review that turns it on. */

export const showConnect = (request: AppRequest): Promise<PageAnswer> => renderConnect(request, NO_ERRORS)

export async function connect(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  try {
    await connectProfile(ctx, app, profile)
  } catch (error) {
    return renderConnect(request, readRefusal(request, error))
  }
  const path = profilePath(request, profile)
  return seeOther(
    call.form.get('from') === 'detail' ? `${path}?note=connected` : `${path}/connect?note=connected`,
  )
}

async function renderConnect(request: AppRequest, errors: FormErrors): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  const arrivals = await profileArrivals(ctx, app, profile.profileId)
  const isDone = arrivals.hasVerified || request.call.query.note === 'connected'
  return renderScreen(request, {
    name: 'providers',
    title: texts.providers.setUp(nameOf(profile)),
    crumbs: crumbsOf(request),
    flash: noteOf(request),
    status: errors.status,
    children: (
      <>
        <Steps current="connectStep" />
        <Card class="form-card" title={texts.providers.notifications}>
          {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
          <Connecting
            profile={profile}
            arrivals={arrivals}
            page={`${path}/connect`}
            kind={isDone ? 'quiet' : 'primary'}
          />
        </Card>
        <GetButton href={`${path}/review`} kind={isDone ? 'primary' : 'quiet'}>
          {texts.providers.goOn}
        </GetButton>
      </>
    ),
  })
}

interface ConnectingProps {
  readonly profile: Profile
  readonly arrivals: Arrivals
  readonly page: string
  readonly kind?: 'primary' | 'quiet'
  readonly from?: 'detail'
}

/** The address to paste, the button that registers it, and whether notifications arrive. */
export function Connecting({ profile, arrivals, page, kind = 'quiet', from }: ConnectingProps) {
  const request = useRequest()
  const { ctx, texts } = request
  const { providers } = texts
  const adapter = adapterOf(ctx, profile)
  const { name } = adapter.manifest
  return (
    <>
      <p>{providers.connectBody(name)}</p>
      <p class="label">{providers.address}</p>
      <CopyText text={notifyUrl(ctx, profile)} label={providers.address} />
      {adapter.connect && (
        <Form action={`${profilePath(request, profile)}/connect`} hidden={{ from: from ?? 'setup' }}>
          <p class="muted small">{providers.connectHelp(name)}</p>
          <div class="buttons">
            <Button kind={kind}>{providers.connect}</Button>
          </div>
        </Form>
      )}
      {adapter.connectHelp && (
        <p class="muted small">
          {adapter.connect && `${providers.byHand}: `}
          {providers.connectHelps[profile.provider] ?? <span lang="en">{adapter.connectHelp}</span>}
        </p>
      )}
      <ArrivalStatus profile={profile} arrivals={arrivals} page={page} />
    </>
  )
}

export async function showReview(request: AppRequest): Promise<PageAnswer> {
  const { texts, ctx } = request
  const { providers } = texts
  const profile = requestedProfile(request)
  const path = profilePath(request, profile)
  const masked = Object.entries(maskedSettings(ctx, profile))
  const { fields } = adapterOf(ctx, profile).manifest.settings
  return renderScreen(request, {
    name: 'providers',
    title: providers.reviewTitle(nameOf(profile)),
    crumbs: crumbsOf(request),
    children: (
      <>
        <Steps current="review" />
        <Card class="form-card">
          <KeyValue
            rows={[
              [providers.name, <bdi>{nameOf(profile)}</bdi>],
              [providers.provider, providerName(request, profile.provider)],
              [providers.currency, profile.currency],
              [providers.methods, <MethodList methods={profile.methods} />],
              ...masked.map(
                ([name, mask]) =>
                  [fields.find((field) => field.name === name)?.label ?? name, <code>{mask}</code>] as const,
              ),
            ]}
          />
          <div class="buttons">
            <Form action={`${path}/enable`} class="inline">
              <Button>{providers.finish}</Button>
            </Form>
            <GetButton href={`${path}/check?from=setup`}>{providers.test}</GetButton>
            <a href={path}>{providers.later}</a>
          </div>
        </Card>
      </>
    ),
  })
}
