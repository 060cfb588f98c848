import type { ComponentChildren } from 'preact'
import type { TSchema } from 'typebox'
import type { ApiError } from '../../../base/errors.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../merchants/app.ts'
import type { AppRule } from '../../../people/access/rule.ts'
import {
  Fields,
  type FieldTexts,
  type FormField,
  type FormTable,
  type FormValues,
  form,
} from '../../kit/form.tsx'
import { proofUrl } from '../../kit/frame/proof.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import { Button } from '../../kit/html/controls.tsx'
import { Form, SaveButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type FormSize, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'

const TABS = ['general', 'checkout', 'host', 'e-mails', 'data', 'danger'] as const
export type Tab = (typeof TABS)[number]

const pathOf = (tab: Tab): string => (tab === 'general' ? '/settings' : `/settings/${tab}`)
export const tabUrl = (base: string, tab: Tab): string => base + pathOf(tab)

interface TabPage extends Partial<Omit<ScreenProps, 'name' | 'children'>> {
  readonly tab: Tab
  readonly children: ComponentChildren
}

/** A page of the settings, below its tabs. */
export function renderTab(request: AppRequest, { tab, children, ...props }: TabPage): PageAnswer {
  const { texts, base } = request
  const { settings } = texts
  const tabs = TABS.map((name) => ({
    label: settings.tabs[name],
    href: tabUrl(base, name),
    isCurrent: name === tab,
  }))
  return renderScreen(request, {
    name: 'settings',
    title: settings.title,
    tabs,
    ...props,
    children: (
      <>
        {!request.can('AppSettingWrite') && <p class="muted">{settings.readOnly}</p>}
        {children}
      </>
    ),
  })
}

interface EditableProps {
  /** The text of the button that saves. */
  readonly button: string
  /** The page of the form, where saving asks for a proof. */
  readonly proofPage?: string | undefined
  readonly children: ComponentChildren
}

/** The fields of a form with its button; for those who may only read, fields that cannot be changed. */
export function Editable({ button, proofPage, children }: EditableProps) {
  const mayWrite = useRequest().can('AppSettingWrite')
  return (
    <fieldset class="stack" disabled={!mayWrite}>
      {children}
      {mayWrite && (
        <div class="buttons">
          {proofPage === undefined ? (
            <Button>{button}</Button>
          ) : (
            <SaveButton page={proofPage}>{button}</SaveButton>
          )}
        </div>
      )}
    </fieldset>
  )
}

interface SettingsForm<S extends TSchema> {
  readonly tab: Tab
  readonly schema: S
  /** The member whose members the fields are. */
  readonly inside?: string
  /** Its rule for saving; everyone who may read settings sees the page. */
  readonly rule: AppRule
  readonly fields: Readonly<Record<string, readonly FormField[]>>
  readonly view: (ctx: Context, app: App) => object | Promise<object>
  readonly save: (ctx: Context, app: App, body: never) => Promise<unknown>
  readonly texts: (request: AppRequest) => FieldTexts
  readonly page: (request: AppRequest, shown: ShownForm) => ComponentChildren
  /** More about the page, such as a message. */
  readonly screen?: (request: AppRequest, problem?: ApiError) => Partial<ScreenProps>
  /** A button that shows the page with what was posted and saves nothing. */
  readonly previewButton?: string
  readonly size?: FormSize
}

interface ShownForm {
  /** The fields of a group. */
  readonly group: (name: string) => ComponentChildren
  readonly values: FormValues
}

/** Its routes, to show and to save it, and its page for the refusal of another action. */
export function settingsForm<S extends TSchema>(spec: SettingsForm<S>) {
  const { tab, rule, view, save } = spec
  const table: FormTable<S> = form(spec.schema, Object.values(spec.fields).flat(), spec.inside)
  async function render(request: AppRequest, values: FormValues, problem?: ApiError): Promise<PageAnswer> {
    const choices = await table.choices(request, values)
    const errors = table.errors(problem)
    const texts = spec.texts(request)
    const group = (name: string) => (
      <Fields fields={spec.fields[name] ?? []} {...{ texts, values, errors, choices }} />
    )
    const children = spec.page(request, { group, values })
    return renderTab(request, { tab, problem, ...spec.screen?.(request, problem), children })
  }
  const show = async (request: AppRequest, problem?: ApiError) =>
    render(request, table.stored(await view(request.ctx, request.app)), problem)
  function post(request: AppRequest): Promise<PageAnswer> {
    const { ctx, app, base, call } = request
    const values = table.posted(call)
    if (spec.previewButton !== undefined && call.form.has(spec.previewButton)) return render(request, values)
    return retryForm(
      async () => {
        await save(ctx, app, table.body(values) as never)
        return seeOther(`${tabUrl(base, tab)}?note=saved`)
      },
      // The last proof had no code, and what protects refunds is loosened with one only.
      (problem) =>
        problem.code === 'otp_required'
          ? seeOther(proofUrl(tabUrl(base, tab)))
          : render(request, values, problem),
    )
  }
  const routes: ScreenRoute[] = [
    app('GET', pathOf(tab), 'AppSettingRead', (request) => show(request)),
    app('POST', pathOf(tab), rule, post, spec.size),
  ]
  return { routes, show }
}

interface SettingsFieldsProps {
  readonly tab: Tab
  readonly button: string
  readonly proof?: boolean
  /** Above the fields. */
  readonly intro?: string
  readonly children: ComponentChildren
}

/** The form of a tab around its fields. */
export function SettingsFields({ tab, button, proof, intro, children }: SettingsFieldsProps) {
  const url = tabUrl(useRequest().base, tab)
  return (
    <Form action={url}>
      {intro && <p>{intro}</p>}
      <Editable button={button} proofPage={proof ? url : undefined}>
        {children}
      </Editable>
    </Form>
  )
}

/** A card with a stack of fields. */
export const FieldsCard = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <Card title={title}>
    <div class="stack">{children}</div>
  </Card>
)
