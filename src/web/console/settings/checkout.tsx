import type { ApiError } from '../../../base/errors.ts'
import { brandingView } from '../../../merchants/apps/branding.ts'
import { changeApp } from '../../../merchants/apps/commands.ts'
import { AppPatch } from '../../../merchants/apps/schema.ts'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { previewPage } from '../../checkout/preview.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { PageCall } from '../../kit/request/call.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/form.tsx'
import { appWithDraft, type BrandingDraft, brandingOf, postedDraft, storedDraft } from './draft.ts'
import { Editor, readView } from './editor.tsx'
import { renderTab, saved } from './tabs.tsx'

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
