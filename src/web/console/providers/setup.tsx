import type { Profile } from '../../../merchants/app.ts'
import { changeProfileSafely } from '../../../merchants/profiles/accounts.ts'
import { adapterOf } from '../../../merchants/profiles/adapter.ts'
import { createProfile } from '../../../merchants/profiles/commands.ts'
import { checkProfileAtProvider, type ProfileCheck } from '../../../merchants/profiles/connect.ts'
import { maskedSettings } from '../../../merchants/profiles/view.ts'
import type { ProviderAdapter } from '../../../providers/port.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { type Crumb, drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../parts/form-errors.ts'
import { Form } from '../parts/forms.tsx'
import {
  checkDraft,
  newDraft,
  type ProfileDraft,
  readDraft,
  readSettings,
  requestedAdapter,
  requestedProfile,
} from './draft.ts'
import { nameOf, providerName } from './parts.tsx'
import {
  DraftFields,
  needsConnecting,
  needsCredentials,
  SettingFields,
  SetUpButtons,
  Steps,
} from './steps.tsx'

/**
 * The credentials of a provider: step 2 of adding one. The profile exists from then on, and is off until the
 * last step.
 */

export const crumbsOf = ({ texts, base }: AppVisit): readonly Crumb[] => [
  { label: texts.providers.title, href: `${base}/providers` },
]

export const noteOf = ({ call, texts }: AppVisit): ScreenProps['flash'] => {
  const notes: Readonly<Record<string, string>> = texts.providers.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

export const profilePath = ({ base }: AppVisit, { profileId }: Profile): string =>
  `${base}/providers/${profileId}`

export const showNew = (visit: AppVisit): PageAnswer => {
  const { manifest } = requestedAdapter(visit)
  return drawNew(visit, newDraft(manifest), NO_ERRORS)
}

export async function addProfile(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const adapter = requestedAdapter(visit)
  const draft = readDraft(visit)
  try {
    checkDraft(visit, draft)
    const profile = await createProfile(ctx, app, {
      ...draft,
      provider: adapter.manifest.id,
      currencies: null,
      isActive: false,
      settings: needsCredentials(adapter) ? readSettings(visit, adapter.manifest) : {},
    })
    return seeOther(afterCredentials(visit, adapter, profile))
  } catch (error) {
    return drawNew(visit, draft, readRefusal(visit, error))
  }
}

function afterCredentials(visit: AppVisit, adapter: ProviderAdapter, profile: Profile): string {
  const path = profilePath(visit, profile)
  if (visit.call.form.get('act') === 'test') return `${path}/check?from=setup`
  return needsConnecting(adapter) ? `${path}/connect` : `${path}/review`
}

function drawNew(visit: AppVisit, draft: ProfileDraft, errors: FormErrors): PageAnswer {
  const { texts, base } = visit
  const adapter = requestedAdapter(visit)
  const { manifest } = adapter
  return drawScreen(visit, {
    name: 'providers',
    title: texts.providers.setUp(manifest.name),
    crumbs: crumbsOf(visit),
    status: errors.status,
    children: (
      <>
        <Steps visit={visit} current="credentials" />
        <Card class="form-card">
          <Form visit={visit} action={`${base}/providers/add/${manifest.id}`}>
            <Refusal visit={visit} errors={errors} adapter={adapter} />
            <DraftFields visit={visit} manifest={manifest} draft={draft} errors={errors} />
            {needsCredentials(adapter) ? (
              <SettingFields visit={visit} manifest={manifest} errors={errors} stored={{}} />
            ) : (
              <p class="muted">{texts.providers.noCredentials}</p>
            )}
            <SetUpButtons visit={visit} />
          </Form>
        </Card>
      </>
    ),
  })
}

interface RefusalProps {
  readonly visit: AppVisit
  readonly errors: FormErrors
  readonly adapter: ProviderAdapter
}

/** What the command says, and that secrets must be typed again. */
const Refusal = ({ visit, errors, adapter }: RefusalProps) =>
  errors.message === '' ? null : (
    <Notice kind="bad" title={errors.message}>
      {needsCredentials(adapter) && <p>{visit.texts.providers.enterAgain}</p>}
    </Notice>
  )

/** The same step for a profile that exists: what is stored is masked. */
export const showCredentials = (visit: AppVisit): PageAnswer => drawCredentials(visit, NO_ERRORS, undefined)

export async function changeCredentials(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const profile = requestedProfile(visit)
  const adapter = adapterOf(ctx, profile)
  try {
    const settings = readSettings(visit, adapter.manifest)
    if (Object.keys(settings).length > 0) await changeProfileSafely(ctx, app, profile.profileId, { settings })
  } catch (error) {
    return drawCredentials(visit, readRefusal(visit, error), undefined)
  }
  if (call.form.get('act') === 'save') return seeOther(`${profilePath(visit, profile)}?note=saved`)
  return seeOther(afterCredentials(visit, adapter, profile))
}

export function drawCredentials(
  visit: AppVisit,
  errors: FormErrors,
  check: ProfileCheck | undefined,
): PageAnswer {
  const { texts, ctx } = visit
  const profile = requestedProfile(visit)
  const adapter = adapterOf(ctx, profile)
  const path = profilePath(visit, profile)
  return drawScreen(visit, {
    name: 'providers',
    title: texts.providers.setUp(nameOf(profile)),
    crumbs: crumbsOf(visit),
    status: errors.status,
    children: (
      <>
        {!profile.isActive && <Steps visit={visit} current="credentials" />}
        <Card class="form-card">
          <CheckResult visit={visit} profile={profile} check={check} />
          <Form visit={visit} action={`${path}/credentials`}>
            <Refusal visit={visit} errors={errors} adapter={adapter} />
            {needsCredentials(adapter) ? (
              <SettingFields
                visit={visit}
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
              <SetUpButtons visit={visit} />
            )}
          </Form>
        </Card>
      </>
    ),
  })
}

interface CheckResultProps {
  readonly visit: AppVisit
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

export function CheckResult({ visit, profile, check }: CheckResultProps) {
  if (!check) return null
  const { providers } = visit.texts
  const name = providerName(visit, profile)
  return check.ok ? (
    <div role="status">
      <Notice kind="ok" title={providers.tested(name)} />
      <Warnings title={providers.warnings} warnings={check.warnings ?? []} />
    </div>
  ) : (
    <Notice kind="bad" title={providers.testFailed(name)}>
      {check.code && visit.language.locale !== 'en' && <p>{providers.checkProblems[check.code](name)}</p>}
      <p lang="en">{check.problem}</p>
    </Notice>
  )
}

/** Asks the provider and shows the page that the button was on. */
export const checkOf = (visit: AppVisit, profile: Profile): Promise<ProfileCheck> =>
  checkProfileAtProvider(visit.ctx, visit.app, profile)
