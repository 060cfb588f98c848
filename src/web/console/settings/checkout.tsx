import type { ApiError } from '../../../base/errors.ts'
import { brandingView } from '../../../merchants/apps/branding.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { previewPage } from '../../checkout/preview.tsx'
import type { PageAnswer, PageCall } from '../../kit/request/page-route.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { appWithDraft, type BrandingDraft, brandingOf, postedDraft, storedDraft } from './draft.ts'
import { Editor, readView } from './editor.tsx'
import { drawTab, saved } from './tabs.tsx'

export const showCheckout = (visit: AppVisit): PageAnswer => draw(visit, storedDraft(visit.app))

/** Saves; the button "Preview" only shows the page again with what was typed. */
export function postCheckout(visit: AppVisit): PageAnswer | Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const draft = postedDraft(call.form)
  if (call.form.has('preview')) return draw(visit, draft)
  const save = () =>
    changeApp(ctx, app, checked(AppPatch, { branding: { ...brandingOf(draft), ...logoPatch(call) } }), {})
  return saved(visit, 'checkout', save, (problem) => draw(visit, draft, problem))
}

/** The file as the API takes it: the commands check type, content and size. */
function logoPatch({ form, files }: PageCall): { logo?: unknown } {
  const file = files.get('logo')
  if (file) return { logo: `data:${file.type};base64,${file.bytes.toString('base64')}` }
  return form.has('removeLogo') ? { logo: { value: null } } : {}
}

function draw(visit: AppVisit, draft: BrandingDraft, problem?: ApiError): PageAnswer {
  const { ctx, app, call } = visit
  const { logoUrl } = brandingView(ctx, app)
  return drawTab(visit, {
    tab: 'checkout',
    problem,
    frameOrigins: ["'self'"],
    children: (
      <Editor
        visit={visit}
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
  ({ ctx, app, call, texts }: AppVisit): PageAnswer => {
    const { shade } = call.query
    const drafted = appWithDraft(app, call.query)
    const theme = shade === 'light' || shade === 'dark' ? shade : drafted.branding.theme
    return previewPage(ctx, assets, {
      app: { ...drafted, branding: { ...drafted.branding, theme } },
      description: texts.settings.example,
      acceptLanguage: call.acceptLanguage,
    })
  }
