import type { ApiError } from '../../../base/errors.ts'
import { createCheck } from '../../../http/validate.ts'
import type { App, Branding } from '../../../merchants/app.ts'
import { BrandingPatch, brandingChanges, brandingView } from '../../../merchants/apps/branding.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import { previewPage } from '../../checkout/preview.tsx'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { checked, Fields, text } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { LANGUAGES } from '../../kit/i18n/languages.ts'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { PageCall } from '../../kit/request/call.ts'
import { useRequest } from '../../kit/screen.tsx'
import { Editable, FieldsCard, renderTab, saved, tabUrl } from './tabs.tsx'
import { verdictOf } from './verdict.ts'

export const showCheckout = (request: AppRequest): PageAnswer => render(request, storedDraft(request.app))

/** Saves; the button "Preview" only shows the page again with what was typed. */
export function postCheckout(request: AppRequest): PageAnswer | Promise<PageAnswer> {
  const { ctx, app, call } = request
  const draft = postedDraft(call.form)
  if (call.form.has('preview')) return render(request, draft)
  const save = () =>
    changeApp(ctx, app, checked(AppPatch, { branding: { ...brandingOf(draft), ...logoPatch(call) } }), {})
  return saved(request, 'checkout', save, (problem) => render(request, draft, problem))
}

/** The file as the API takes it: the commands check type, content and size. */
function logoPatch({ form, files }: PageCall): { logo?: unknown } {
  const file = files.get('logo')
  if (file) return { logo: `data:${file.type};base64,${file.bytes.toString('base64')}` }
  return form.has('removeLogo') ? { logo: { value: null } } : {}
}

function render(request: AppRequest, draft: BrandingDraft, problem?: ApiError): PageAnswer {
  const { ctx, app, call } = request
  const { logoUrl } = brandingView(ctx, app)
  return renderTab(request, {
    tab: 'checkout',
    problem,
    frameOrigins: ["'self'"],
    children: (
      <Editor
        draft={draft}
        problem={problem}
        view={readView(call.form)}
        logoPath={logoUrl && new URL(logoUrl).pathname}
      />
    ),
  })
}

/** The page in the frame: the checkout with the values of the query. */
export const createPreview =
  (assets: PageAssets) =>
  ({ ctx, app, call, texts }: AppRequest): PageAnswer => {
    const { shade } = call.query
    const drafted = appWithDraft(app, call.query)
    const theme = shade === 'light' || shade === 'dark' ? shade : drafted.branding.theme
    return previewPage(ctx, assets, {
      app: { ...drafted, branding: { ...drafted.branding, theme } },
      description: texts.settings.example,
      acceptLanguage: call.acceptLanguage,
    })
  }

const SCREENS = ['phone', 'desktop'] as const
const SHADES = ['', 'light', 'dark'] as const

/** How the preview is looked at; nothing of it is saved. */
interface View {
  readonly screen: (typeof SCREENS)[number]
  readonly shade: (typeof SHADES)[number]
}

const readView = (form: ReadonlyMap<string, string>): View => ({
  screen: SCREENS.find((name) => name === form.get('screen')) ?? 'phone',
  shade: SHADES.find((name) => name === form.get('shade')) ?? '',
})

const WORDS = [
  text('slogan1'),
  text('slogan2'),
  text('support'),
  text('termsUrl', { type: 'url', ltr: true }),
  text('privacyUrl', { type: 'url', ltr: true }),
]

/** Members of the branding have fields of their own. */
const settingErrors = (problem: ApiError | undefined): FormErrors => errorsByField(problem, 'branding.')

interface EditorProps {
  readonly draft: BrandingDraft
  readonly problem: ApiError | undefined
  readonly view: View
  readonly logoPath: string | null
}

/** The form of the checkout beside its preview. The script updates the frame while something is typed. */
function Editor(props: EditorProps) {
  const request = useRequest()
  return (
    <Form action={tabUrl(request.base, 'checkout')} class="editor" id="checkout-editor" hasFiles>
      <Editable button={request.texts.settings.saveCheckout}>
        <Look {...props} />
        <Words {...props} />
      </Editable>
      <Preview {...props} />
    </Form>
  )
}

function Look({ draft, problem, logoPath }: EditorProps) {
  const request = useRequest()
  const { settings } = request.texts
  const languages = LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))
  return (
    <Card title={settings.look}>
      <div class="stack">
        <LogoField problem={problem} logoPath={logoPath} />
        <ColourField draft={draft} problem={problem} />
        <Select
          id="theme"
          name="theme"
          label={settings.theme}
          value={draft.theme}
          options={[
            { value: '', label: settings.themes.device },
            { value: 'light', label: settings.themes.light },
            { value: 'dark', label: settings.themes.dark },
          ]}
        />
        <Select
          id="locale"
          name="locale"
          label={settings.locale}
          value={draft.locale}
          options={[{ value: '', label: settings.localeDevice }, ...languages]}
        />
        <Select
          id="powered-by"
          name="poweredBy"
          label={settings.poweredBy}
          value={draft.poweredBy}
          options={[
            { value: '', label: settings.poweredByShown },
            { value: 'no', label: settings.poweredByHidden },
          ]}
        />
      </div>
    </Card>
  )
}

function LogoField({ problem, logoPath }: Pick<EditorProps, 'problem' | 'logoPath'>) {
  const request = useRequest()
  const { settings } = request.texts
  const { error } = settingErrors(problem).for('logo')
  return (
    <div class="field">
      <label for="logo">{settings.logo}</label>
      {logoPath && <img class="logo-now" src={logoPath} alt={settings.currentLogo} height={40} />}
      <input
        id="logo"
        name="logo"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
        aria-describedby="logo-hint logo-error"
        aria-invalid={error ? 'true' : undefined}
      />
      <p class="hint" id="logo-hint">
        {settings.logoHint}
      </p>
      <p class="error" id="logo-error">
        {error}
      </p>
      {logoPath && (
        <Checkbox id="remove-logo" name="removeLogo">
          {settings.removeLogo}
        </Checkbox>
      )}
    </div>
  )
}

/** The verdict's texts hold `{colour}` and `{ratio}` for the script. */
function ColourField({ draft, problem }: Pick<EditorProps, 'draft' | 'problem'>) {
  const request = useRequest()
  const { settings } = request.texts
  const verdict = verdictOf(draft.color)
  const text =
    verdict &&
    (verdict.isKept
      ? settings.verdictGood({ ratio: verdict.ratio })
      : settings.verdictChanged({ colour: verdict.shown, ratio: verdict.ratio }))
  return (
    <div>
      <Field
        id="color"
        name="color"
        label={settings.colour}
        hint={settings.colourHint}
        value={draft.color}
        maxLength={7}
        ltr
        beside={
          <input
            type="color"
            class="colour-picker"
            data-picks="color"
            aria-label={settings.pickColour}
            value={verdict ? draft.color.toLowerCase() : '#3b5bdb'}
            hidden
          />
        }
        {...settingErrors(problem).for('color')}
      />
      <p
        class="verdict small"
        role="status"
        data-verdict={verdict ? (verdict.isKept ? 'good' : 'changed') : ''}
        data-good={settings.verdictGood({ ratio: '{ratio}' })}
        data-changed={settings.verdictChanged({ colour: '{colour}', ratio: '{ratio}' })}
      >
        {text}
      </p>
    </div>
  )
}

function Words({ draft, problem }: EditorProps) {
  const { settings } = useRequest().texts
  return (
    <FieldsCard title={settings.words}>
      <Fields fields={WORDS} texts={settings.fields} values={draft} errors={settingErrors(problem)} />
    </FieldsCard>
  )
}

function Preview({ draft, view }: EditorProps) {
  const request = useRequest()
  const { settings } = request.texts
  const src = `${request.base}/settings/preview?${draftQuery(draft)}&shade=${view.shade}`
  return (
    <section class="preview" aria-labelledby="preview-title" data-screen={view.screen}>
      <h2 id="preview-title">{settings.previewTitle}</h2>
      <p class="muted small">{settings.previewHint}</p>
      <div class="preview-bar">
        <Select
          id="screen"
          name="screen"
          label={settings.screen}
          value={view.screen}
          options={SCREENS.map((value) => ({ value, label: settings.screens[value] }))}
        />
        <Select
          id="shade"
          name="shade"
          label={settings.shade}
          value={view.shade}
          options={SHADES.map((value) => ({ value, label: settings.shades[value] }))}
        />
        {request.can('AppSettingWrite') && (
          <Button kind="quiet" name="preview" value="yes">
            {settings.preview}
          </Button>
        )}
      </div>
      <div class="preview-box">
        <iframe id="preview" title={settings.previewTitle} src={src} sandbox="allow-same-origin" />
      </div>
    </section>
  )
}

/** The members of the branding that the editor has fields for, without the logo. */
const DRAFT_FIELDS = [
  'color',
  'slogan1',
  'slogan2',
  'support',
  'termsUrl',
  'privacyUrl',
  'locale',
  'theme',
] as const

type TextField = (typeof DRAFT_FIELDS)[number]
/** `poweredBy` is `no`, or empty: yes. */
type BrandingDraft = Readonly<Record<TextField | 'poweredBy', string>>

const draftFrom = (value: (name: keyof BrandingDraft) => string): BrandingDraft =>
  Object.fromEntries(
    [...DRAFT_FIELDS, 'poweredBy' as const].map((name) => [name, value(name)]),
  ) as BrandingDraft

const storedDraft = ({ branding }: App): BrandingDraft =>
  draftFrom((name) => (name === 'poweredBy' ? (branding.showPoweredBy ? '' : 'no') : (branding[name] ?? '')))

const postedDraft = (form: ReadonlyMap<string, string>): BrandingDraft =>
  draftFrom((name) => (form.get(name) ?? '').trim())

const draftQuery = (draft: BrandingDraft): string => new URLSearchParams(draft).toString()

/** As the API takes it. */
function brandingOf({ poweredBy, ...texts }: BrandingDraft) {
  return { ...texts, showPoweredBy: poweredBy !== 'no' }
}

const check = createCheck(BrandingPatch)

/** The app as the draft in the query would show it. Values that could not be saved are left out. */
function appWithDraft(app: App, query: Readonly<Record<string, string>>): App {
  const members = DRAFT_FIELDS.map((name) => draftMember(name, query[name]))
  const foot = query.poweredBy === undefined ? {} : { showPoweredBy: query.poweredBy !== 'no' }
  return { ...app, branding: Object.assign({}, app.branding, foot, ...members) as Branding }
}

function draftMember(name: TextField, value: string | undefined): Partial<Branding> {
  if (value === undefined || check({ [name]: value }).length > 0) return {}
  try {
    return { [name]: brandingChanges({ [name]: value })[name] }
  } catch {
    return {}
  }
}
