import type { ApiError } from '../../../base/errors.ts'
import { readCookie } from '../../../http/client/cookie.ts'
import type { Call } from '../../../http/route.ts'
import type { PageAssets } from '../assets/assets.ts'
import { pageHeaders } from '../html/headers.ts'
import { Card, Statement } from '../html/layout.tsx'
import { pageHtml } from '../html/page.tsx'
import { chooseLanguage, type Language } from '../i18n/languages.ts'
import type { HtmlPage } from './answer.ts'
import { LANGUAGE_COOKIE } from './call.ts'

export interface RefusedPage {
  readonly assets: PageAssets
  readonly call: Pick<Call, 'headers'>
  /** Section whose texts the page uses. */
  readonly area: 'panel' | undefined
}

const readLanguage = (call: Pick<Call, 'headers'>): Language =>
  chooseLanguage({
    chosen: readCookie(call.headers, LANGUAGE_COOKIE),
    acceptLanguage: call.headers['accept-language'] as string | undefined,
  })

/** The error page. The log holds the details under the request id. */
export function errorPage({ assets, call, area }: RefusedPage, error: ApiError): HtmlPage {
  const language = readLanguage(call)
  const { errors, panel } = language.texts
  const texts = {
    404: area === 'panel' ? [panel.unknown, panel.unknownBody] : [errors.unknown, errors.unknownBody],
    413: [panel.refused, panel.refusedBody],
    422: [panel.refused, panel.refusedBody],
    403: [errors.elsewhere, errors.elsewhereBody],
    429: [errors.busy, errors.busyBody],
    503: [errors.away, errors.awayBody],
  } as const
  const [title, body] = texts[error.status as keyof typeof texts] ?? [errors.broken, errors.brokenBody]
  const html = pageHtml({
    language,
    brand: undefined,
    title,
    page: 'error',
    style: assets.style.path,
    children: (
      <div class="narrow">
        <Card>
          <Statement icon={error.status === 404 ? 'search' : 'alert'} title={title}>
            <p>{body}</p>
            {area === 'panel' && <a href="/p">{panel.overview}</a>}
          </Statement>
        </Card>
      </div>
    ),
  })
  return { html, status: error.status, headers: { ...pageHeaders({}), ...error.extras.headers } }
}
