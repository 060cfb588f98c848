import type { Context } from '../../context.ts'
import type { App, Profile } from '../../merchants/app.ts'
import { adapterOf, findAdapter } from '../../merchants/profiles/adapter.ts'
import { pageOriginsOf } from '../../merchants/profiles/call.ts'
import { profileOf } from '../../payments/provider/inputs.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import { originsOf } from '../kit/html/headers.ts'
import { BUILT_IN_TEST_DOCS, type TestDocs } from '../kit/html/page.tsx'
import type { PageTexts } from '../kit/i18n/languages.ts'
import type { CheckoutRequest } from './request.ts'

/** A page of a provider on which the customer continues. */
export interface ProviderPage {
  readonly url: string
  /** The page is opened by a form post with these fields. */
  readonly fields?: Readonly<Record<string, string>>
  /** What is paid with on the page. */
  readonly method?: AnyMethod | null
}

/** The page of the current attempt. `redirectUrl` is our own page if a form post opens the provider's. */
export function providerPageOf({ payment, base }: CheckoutRequest): ProviderPage | undefined {
  const { redirectUrl, payInfo, attempt } = payment
  if (redirectUrl === null) return undefined
  const isOurForm = redirectUrl.endsWith(`${base}/continue/${attempt}`)
  return isOurForm && payInfo?.post ? payInfo.post : { url: redirectUrl }
}

/**
 * Whether a redirect opens the page. Chromium applies the form-action policy of a page to redirects after its
 * form post, so an origin outside that policy needs a page of ours with a link.
 */
export function opensByRedirect(ctx: Context, app: App, profile: Profile, page: ProviderPage): boolean {
  const { forwardedMethods = [] } = adapterOf(ctx, profile).manifest
  if (page.method && forwardedMethods.includes(page.method)) return false
  const allowed = [...originsOf(ctx.config.publicUrl), ...pageOriginsOf(ctx, app, profile)]
  return page.fields === undefined && originsOf(page.url).some((origin) => allowed.includes(origin))
}

/** How a page that leads to the provider's page gets there: by its form, or by a refresh without a click. */
export function continueProps(ctx: Context, app: App, profile: Profile, to: ProviderPage) {
  if (!to.fields) return { refresh: { seconds: 0, url: to.url, always: true } }
  // The page that receives the form may redirect to another page of the provider.
  const formOrigins = [...new Set([...originsOf(to.url), ...pageOriginsOf(ctx, app, profile)])]
  return { security: { formOrigins } }
}

/** Undefined for the sandbox: its pages stand for the page of a method, so texts name the method instead. */
export function providerNameOf(ctx: Pick<Context, 'providers'>, profile: Profile): string | undefined {
  const { manifest } = adapterOf(ctx, profile)
  return manifest.sandboxOnly ? undefined : manifest.name
}

/** Where a tester finds what to type at these profiles. Each provider is named once. */
export function testDocsOf(ctx: Pick<Context, 'providers'>, profiles: readonly Profile[]): TestDocs[] {
  const manifests = new Set(profiles.flatMap((profile) => findAdapter(ctx, profile)?.manifest ?? []))
  return [...manifests].map(({ sandboxOnly, name, testDocs, docs }) =>
    sandboxOnly ? BUILT_IN_TEST_DOCS : { url: testDocs ?? docs, provider: name },
  )
}

/** The name for texts about the provider's page of the current attempt. */
export const providerShown = (ctx: Context, { app, payment }: CheckoutRequest, texts: PageTexts): string =>
  providerNameOf(ctx, profileOf(app, payment)) ?? sandboxPageName(texts, payment.method ?? 'Paypal')

/** Methods without a brand. A page must not say that the payer continues "at Bank transfer". */
const CALLED_BY_WORDS: ReadonlySet<AnyMethod> = new Set<AnyMethod>(['bank-transfer', 'sepa-debit'])

/** A page of the sandbox has the name of what it stands for. */
export const sandboxPageName = (texts: PageTexts, method: AnyMethod): string =>
  CALLED_BY_WORDS.has(method) ? 'Sandbox' : texts.methods[method]
