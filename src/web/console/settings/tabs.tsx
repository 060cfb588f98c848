import type { ComponentChildren } from 'preact'
import { ApiError } from '../../../base/errors.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Button } from '../../kit/html/controls.tsx'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import { SaveButton } from '../../kit/html/forms.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'

const TABS = ['general', 'checkout', 'host', 'e-mails', 'data', 'danger'] as const
export type Tab = (typeof TABS)[number]

export const tabUrl = (base: string, tab: Tab): string =>
  tab === 'general' ? `${base}/settings` : `${base}/settings/${tab}`

interface TabPage extends Partial<Omit<ScreenProps, 'name' | 'children'>> {
  readonly tab: Tab
  readonly problem?: ApiError | undefined
  readonly children: ComponentChildren
}

/** A page of the settings, below its tabs. */
export function renderTab(request: AppRequest, { tab, problem, children, ...props }: TabPage): PageAnswer {
  const { texts, base, call } = request
  const { settings } = texts
  const tabs = TABS.map((name) => ({
    label: settings.tabs[name],
    href: tabUrl(base, name),
    isCurrent: name === tab,
  }))
  const saved = call.query.note === 'saved' ? ({ kind: 'ok', text: settings.saved } as const) : undefined
  return renderScreen(request, {
    name: 'settings',
    title: settings.title,
    flash: problem ? { kind: 'bad', text: problem.message } : saved,
    status: problem?.status ?? 200,
    ...props,
    children: (
      <>
        <Tabs tabs={tabs} label={settings.title} />
        {!request.can('AppSettingWrite') && <p class="muted">{settings.readOnly}</p>}
        {children}
      </>
    ),
  })
}

interface EditableProps {
  /** Of the button that saves. */
  readonly button: string
  /** The page of the form, where saving asks for a proof. */
  readonly proofPage?: string
  readonly children: ComponentChildren
}

/** The fields of a form with its button; for those who may only read, fields that cannot be changed. */
export function Editable({ button, proofPage, children }: EditableProps) {
  const request = useRequest()
  const mayWrite = request.can('AppSettingWrite')
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

/** Saves, or shows the page again with what was wrong. */
export async function saved(
  { base }: AppRequest,
  tab: Tab,
  save: () => Promise<unknown>,
  again: (problem: ApiError) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    await save()
    return seeOther(`${tabUrl(base, tab)}?note=saved`)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return again(error)
    throw error
  }
}

/** Members of the branding have fields of their own. */
export const settingErrors = (problem: ApiError | undefined): FormErrors =>
  errorsByField(problem, 'branding.')

/** A number, null where the field is empty, or the text itself, which the check refuses. */
export function numberPatch(text: string): unknown {
  if (text === '') return { value: null }
  return /^\d{1,9}$/.test(text) ? Number(text) : text
}
