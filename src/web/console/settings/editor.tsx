import type { ApiError } from '../../../base/errors.ts'
import { LANGUAGES } from '../../kit/i18n/languages.ts'
import { Button, Checkbox, Field, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { type BrandingDraft, draftQuery } from './draft.ts'
import { Fields, text } from '../../kit/form.tsx'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import { Editable, FieldsCard, tabUrl } from './tabs.tsx'
import { verdictOf } from './verdict.ts'
import { useRequest } from '../../kit/screen.tsx'

const SCREENS = ['phone', 'desktop'] as const
const SHADES = ['', 'light', 'dark'] as const

/** How the preview is looked at; nothing of it is saved. */
interface View {
  readonly screen: (typeof SCREENS)[number]
  readonly shade: (typeof SHADES)[number]
}

export const readView = (form: ReadonlyMap<string, string>): View => ({
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
export function Editor(props: EditorProps) {
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
      ? settings.verdictGood(verdict.ratio)
      : settings.verdictChanged(verdict.shown, verdict.ratio))
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
        data-good={settings.verdictGood('{ratio}')}
        data-changed={settings.verdictChanged('{colour}', '{ratio}')}
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
