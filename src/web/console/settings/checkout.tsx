import { LIMITS } from '../../../base/limits.ts'
import { createCheck } from '../../../http/validate.ts'
import type { App, Branding } from '../../../merchants/app.ts'
import { BrandingPatch, brandingChanges, brandingView } from '../../../merchants/apps/branding.ts'
import { previewPage } from '../../checkout/preview.tsx'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { CLEARED, choice, type FormField, type FormValues, text } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { LANGUAGES } from '../../kit/i18n/languages.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { OF_APP } from './forms.tsx'
import { Editable, FieldsCard, settingsForm, tabUrl } from './tabs.tsx'
import { verdictOf } from './verdict.ts'

/** The file as the API takes it: the commands check type, content and size. */
const LOGO: FormField = {
  name: 'logo',
  stored: () => '',
  posted: ({ form, files }) => {
    const file = files.get('logo')
    if (file) return `data:${file.type};base64,${file.bytes.toString('base64')}`
    return form.has('removeLogo') ? 'none' : ''
  },
  body: (value) => (value === 'none' ? CLEARED : value || undefined),
  render: (drawn) => <LogoField {...drawn} />,
}

const COLOUR: FormField = { ...text('color'), render: (drawn) => <ColourField {...drawn} /> }

const THEMES = choice('theme', ({ texts: { settings } }) => [
  { value: '', label: settings.themes.device },
  { value: 'light', label: settings.themes.light },
  { value: 'dark', label: settings.themes.dark },
])

const LOCALES = choice('locale', ({ texts }) => [
  { value: '', label: texts.settings.localeDevice },
  ...LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
])

/** `no`, or empty: yes. */
const FOOT: FormField = {
  ...choice(
    'showPoweredBy',
    ({ texts: { settings } }) => [
      { value: '', label: settings.poweredByShown },
      { value: 'no', label: settings.poweredByHidden },
    ],
    { id: 'powered-by' },
  ),
  stored: (isShown) => (isShown === false ? 'no' : ''),
  body: (value) => value !== 'no',
}

const WORDS = [
  text('slogan1'),
  text('slogan2'),
  text('support'),
  text('termsUrl', { type: 'url', ltr: true }),
  text('privacyUrl', { type: 'url', ltr: true }),
]

/** What the preview shows before it is saved: everything but the logo. */
const DRAFTED = [COLOUR, THEMES, LOCALES, FOOT, ...WORDS]

/** The form of the checkout beside its preview. The script updates the frame while something is typed. */
export const { routes: checkoutRoutes } = settingsForm({
  ...OF_APP,
  tab: 'checkout',
  inside: 'branding',
  rule: { permission: 'AppSettingWrite' },
  texts: ({ texts }) => texts.settings.fields,
  fields: { look: [LOGO, COLOUR, THEMES, LOCALES, FOOT], words: WORDS },
  previewButton: 'preview',
  size: { formBytes: LIMITS.bodyBytes, takesFiles: true },
  screen: () => ({ frameOrigins: ["'self'"] }),
  page: ({ base, call, texts: { settings } }, { group, values }) => (
    <Form action={tabUrl(base, 'checkout')} class="editor" id="checkout-editor" hasFiles>
      <Editable button={settings.saveCheckout}>
        <FieldsCard title={settings.look}>{group('look')}</FieldsCard>
        <FieldsCard title={settings.words}>{group('words')}</FieldsCard>
      </Editable>
      <Preview values={values} view={readView(call.form)} />
    </Form>
  ),
})

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

type Drawn = Parameters<FormField['render']>[0]

function LogoField({ label, hint, error }: Drawn) {
  const { ctx, app, texts } = useRequest()
  const { settings } = texts
  const { logoUrl } = brandingView(ctx, app)
  return (
    <div class="field">
      <label for="logo">{label}</label>
      {logoUrl && (
        <img class="logo-now" src={new URL(logoUrl).pathname} alt={settings.currentLogo} height={40} />
      )}
      <input
        id="logo"
        name="logo"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
        aria-describedby="logo-hint logo-error"
        aria-invalid={error ? 'true' : undefined}
      />
      <p class="hint" id="logo-hint">
        {hint}
      </p>
      <p class="error" id="logo-error">
        {error}
      </p>
      {logoUrl && (
        <Checkbox id="remove-logo" name="removeLogo">
          {settings.removeLogo}
        </Checkbox>
      )}
    </div>
  )
}

/** The verdict's texts hold `{colour}` and `{ratio}` for the script. */
function ColourField({ options: _, values: __, ...drawn }: Drawn) {
  const { settings } = useRequest().texts
  const verdict = verdictOf(drawn.value)
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
        {...drawn}
        maxLength={7}
        ltr
        beside={
          <input
            type="color"
            class="colour-picker"
            data-picks="color"
            aria-label={settings.pickColour}
            value={verdict ? drawn.value.toLowerCase() : '#3b5bdb'}
            hidden
          />
        }
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

function Preview({ values, view }: { readonly values: FormValues; readonly view: View }) {
  const request = useRequest()
  const { settings } = request.texts
  const draft = new URLSearchParams(DRAFTED.map(({ name }) => [name, String(values[name])]))
  const src = `${request.base}/settings/preview?${draft}&shade=${view.shade}`
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

const check = createCheck(BrandingPatch)

/** The app as the draft in the query would show it. Values that could not be saved are left out. */
const appWithDraft = (app: App, query: Readonly<Record<string, string>>): App => ({
  ...app,
  branding: Object.assign({}, app.branding, ...DRAFTED.map((field) => draftMember(field, query[field.name]))),
})

function draftMember({ name, body }: FormField, value: string | undefined): Partial<Branding> {
  if (value === undefined) return {}
  const patch = { [name]: body(value) }
  if (check(patch).length > 0) return {}
  try {
    return { [name]: brandingChanges(patch)[name as keyof BrandingPatch] }
  } catch {
    return {}
  }
}
