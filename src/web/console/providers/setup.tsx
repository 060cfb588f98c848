import type { Profile } from '../../../merchants/app.ts'
import { changeProfileSafely } from '../../../merchants/profiles/accounts.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { createProfile } from '../../../merchants/profiles/commands.ts'
import { checkProfileAtProvider, type ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import type { ProviderAdapter } from '../../../providers/port.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type Crumb, renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { Form } from '../../kit/html/forms.tsx'
import {
  checkDraft,
  newDraft,
  type ProfileDraft,
  readDraft,
  readSettings,
  requestedAdapter,
  requestedProfile,
} from './draft.ts'
import { nameOf } from './parts.tsx'
import {
  DraftFields,
  needsConnecting,
  needsCredentials,
  SettingFields,
  SetUpButtons,
  Steps,
} from './steps.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { providerName } from '../../kit/format/names.ts'

/**
 * The credentials of a provider: step 2 of adding one. The profile exists from then on, and is off until the
 * last step.
 */

export const crumbsOf = ({ texts, base }: AppRequest): readonly Crumb[] => [
  { label: texts.providers.title, href: `${base}/providers` },
]

export const noteOf = ({ call, texts }: AppRequest): ScreenProps['flash'] => {
  const notes: Readonly<Record<string, string>> = texts.providers.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

export const profilePath = ({ base }: AppRequest, { profileId }: Profile): string =>
  `${base}/providers/${profileId}`

export const showNew = (request: AppRequest): PageAnswer => {
  const { manifest } = requestedAdapter(request)
  return renderNew(request, newDraft(manifest), NO_ERRORS)
}

export async function addProfile(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const adapter = requestedAdapter(request)
  const draft = readDraft(request)
  try {
    checkDraft(request, draft)
    const profile = await createProfile(ctx, app, {
      ...draft,
      provider: adapter.manifest.id,
      currencies: null,
      isActive: false,
      settings: needsCredentials(adapter) ? readSettings(request, adapter.manifest) : {},
    })
    return seeOther(afterCredentials(request, adapter, profile))
  } catch (error) {
    return renderNew(request, draft, readRefusal(request, error))
  }
}

function afterCredentials(request: AppRequest, adapter: ProviderAdapter, profile: Profile): string {
  const path = profilePath(request, profile)
  if (request.call.form.get('act') === 'test') return `${path}/check?from=setup`
  return needsConnecting(adapter) ? `${path}/connect` : `${path}/review`
}

function renderNew(request: AppRequest, draft: ProfileDraft, errors: FormErrors): PageAnswer {
  const { texts, base } = request
  const adapter = requestedAdapter(request)
  const { manifest } = adapter
  return renderScreen(request, {
    name: 'providers',
    title: texts.providers.setUp(manifest.name),
    crumbs: crumbsOf(request),
    status: errors.status,
    children: (
      <>
        <Steps current="credentials" />
        <Card class="form-card">
          <Form action={`${base}/providers/add/${manifest.id}`}>
            <Refusal errors={errors} adapter={adapter} />
            <DraftFields manifest={manifest} draft={draft} errors={errors} />
            {needsCredentials(adapter) ? (
              <SettingFields manifest={manifest} errors={errors} stored={{}} />
            ) : (
              <p class="muted">{texts.providers.noCredentials}</p>
            )}
            <SetUpButtons />
          </Form>
        </Card>
      </>
    ),
  })
}

interface RefusalProps {
  readonly errors: FormErrors
  readonly adapter: ProviderAdapter
}

/** What the command says, and that secrets must be typed again. */
const Refusal = ({ errors, adapter }: RefusalProps) => {
  const request = useRequest()
  return errors.message === '' ? null : (
    <Notice kind="bad" title={errors.message}>
      {needsCredentials(adapter) && <p>{request.texts.providers.enterAgain}</p>}
    </Notice>
  )
}

/** The same step for a profile that exists: what is stored is masked. */
export const showCredentials = (request: AppRequest): PageAnswer =>
  renderCredentials(request, NO_ERRORS, undefined)

export async function changeCredentials(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const profile = requestedProfile(request)
  const adapter = adapterOf(ctx, profile)
  try {
    const settings = readSettings(request, adapter.manifest)
    if (Object.keys(settings).length > 0) await changeProfileSafely(ctx, app, profile.profileId, { settings })
  } catch (error) {
    return renderCredentials(request, readRefusal(request, error), undefined)
  }
  if (call.form.get('act') === 'save') return seeOther(`${profilePath(request, profile)}?note=saved`)
  return seeOther(afterCredentials(request, adapter, profile))
}

export function renderCredentials(
  request: AppRequest,
  errors: FormErrors,
  check: ProfileCheck | undefined,
): PageAnswer {
  const { texts, ctx } = request
  const profile = requestedProfile(request)
  const adapter = adapterOf(ctx, profile)
  const path = profilePath(request, profile)
  return renderScreen(request, {
    name: 'providers',
    title: texts.providers.setUp(nameOf(profile)),
    crumbs: crumbsOf(request),
    status: errors.status,
    children: (
      <>
        {!profile.isActive && <Steps current="credentials" />}
        <Card class="form-card">
          <CheckResult profile={profile} check={check} />
          <Form action={`${path}/credentials`}>
            <Refusal errors={errors} adapter={adapter} />
            {needsCredentials(adapter) ? (
              <SettingFields
                manifest={adapter.manifest}
                errors={errors}
                stored={maskedSettings(ctx, profile)}
              />
            ) : (
              <p class="muted">{texts.providers.noCredentials}</p>
            )}
            {profile.isActive ? (
              <div class="buttons">
                <Button name="act" value="save">
                  {texts.providers.replace}
                </Button>
                <a href={path}>{texts.frame.cancel}</a>
              </div>
            ) : (
              <SetUpButtons />
            )}
          </Form>
        </Card>
      </>
    ),
  })
}

interface CheckResultProps {
  readonly profile: Profile
  readonly check: ProfileCheck | undefined
}

/** In the adapter's own words. */
const Warnings = ({ title, warnings }: { readonly title: string; readonly warnings: readonly string[] }) =>
  warnings.length === 0 ? null : (
    <Notice kind="info" title={title}>
      {warnings.map((warning) => (
        <p lang="en">{warning}</p>
      ))}
    </Notice>
  )

export function CheckResult({ profile, check }: CheckResultProps) {
  const request = useRequest()
  if (!check) return null
  const { providers } = request.texts
  const name = providerName(request, profile.provider)
  return check.ok ? (
    <div role="status">
      <Notice kind="ok" title={providers.tested(name)} />
      <Warnings title={providers.warnings} warnings={check.warnings ?? []} />
    </div>
  ) : (
    <Notice kind="bad" title={providers.testFailed(name)}>
      {check.code && request.language.locale !== 'en' && <p>{providers.checkProblems[check.code](name)}</p>}
      <p lang="en">{check.problem}</p>
    </Notice>
  )
}

/** Asks the provider and shows the page that the button was on. */
export const checkOf = (request: AppRequest, profile: Profile): Promise<ProfileCheck> =>
  checkProfileAtProvider(request.ctx, request.app, profile)
