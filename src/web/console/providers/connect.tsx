import type { Profile } from '../../../merchants/app.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { connectProfile } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import { notifyUrl } from '../../../merchants/urls.ts'
import { type Arrivals, profileArrivals } from '../../../notifications/arrivals.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card, KeyValue, Notice } from '../../kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../parts/form-errors.ts'
import { Form, GetButton } from '../parts/forms.tsx'
import { CopyText } from '../parts/text.tsx'
import { requestedProfile } from './draft.ts'
import { ArrivalStatus, MethodList, nameOf, providerName } from './parts.tsx'
import { crumbsOf, noteOf, profilePath } from './setup.tsx'
import { Steps } from './steps.tsx'

/** Steps 3 and 4 of adding a provider: its notifications, and the review that turns it on. */

export const showConnect = (visit: AppVisit): Promise<PageAnswer> => drawConnect(visit, NO_ERRORS)

export async function connect(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const profile = requestedProfile(visit)
  try {
    await connectProfile(ctx, app, profile)
  } catch (error) {
    return drawConnect(visit, readRefusal(visit, error))
  }
  const path = profilePath(visit, profile)
  return seeOther(
    call.form.get('from') === 'detail' ? `${path}?note=connected` : `${path}/connect?note=connected`,
  )
}

async function drawConnect(visit: AppVisit, errors: FormErrors): Promise<PageAnswer> {
  const { ctx, app, texts } = visit
  const profile = requestedProfile(visit)
  const path = profilePath(visit, profile)
  const arrivals = await profileArrivals(ctx, app, profile.profileId)
  const isDone = arrivals.hasVerified || visit.call.query.note === 'connected'
  return drawScreen(visit, {
    name: 'providers',
    title: texts.providers.setUp(nameOf(profile)),
    crumbs: crumbsOf(visit),
    flash: noteOf(visit),
    status: errors.status,
    children: (
      <>
        <Steps visit={visit} current="connectStep" />
        <Card class="form-card" title={texts.providers.notifications}>
          {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
          <Connecting
            visit={visit}
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
  readonly visit: AppVisit
  readonly profile: Profile
  readonly arrivals: Arrivals
  readonly page: string
  readonly kind?: 'primary' | 'quiet'
  readonly from?: 'detail'
}

/** The address to paste, the button that registers it, and whether notifications arrive. */
export function Connecting({ visit, profile, arrivals, page, kind = 'quiet', from }: ConnectingProps) {
  const { ctx, texts } = visit
  const { providers } = texts
  const adapter = adapterOf(ctx, profile)
  const { name } = adapter.manifest
  return (
    <>
      <p>{providers.connectBody(name)}</p>
      <p class="label">{providers.address}</p>
      <CopyText visit={visit} text={notifyUrl(ctx, profile)} label={providers.address} />
      {adapter.connect && (
        <Form
          visit={visit}
          action={`${profilePath(visit, profile)}/connect`}
          hidden={{ from: from ?? 'setup' }}
        >
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
      <ArrivalStatus visit={visit} profile={profile} arrivals={arrivals} page={page} />
    </>
  )
}

export async function showReview(visit: AppVisit): Promise<PageAnswer> {
  const { texts, ctx } = visit
  const { providers } = texts
  const profile = requestedProfile(visit)
  const path = profilePath(visit, profile)
  const masked = Object.entries(maskedSettings(ctx, profile))
  const { fields } = adapterOf(ctx, profile).manifest.settings
  return drawScreen(visit, {
    name: 'providers',
    title: providers.reviewTitle(nameOf(profile)),
    crumbs: crumbsOf(visit),
    children: (
      <>
        <Steps visit={visit} current="review" />
        <Card class="form-card">
          <KeyValue
            rows={[
              [providers.name, <bdi>{nameOf(profile)}</bdi>],
              [providers.provider, providerName(visit, profile)],
              [providers.currency, profile.currency],
              [providers.methods, <MethodList visit={visit} methods={profile.methods} />],
              ...masked.map(
                ([name, mask]) =>
                  [fields.find((field) => field.name === name)?.label ?? name, <code>{mask}</code>] as const,
              ),
            ]}
          />
          <div class="buttons">
            <Form visit={visit} action={`${path}/enable`} class="inline">
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
