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

/** The title, and the sentence below it. */
type Says = readonly [title: string, body?: string]

function saysOf({ texts }: Language, area: RefusedPage['area'], { code, status }: ApiError): Says {
  const { errors, panel, notices } = texts
  const refused: Says = area === 'panel' ? [panel.refused] : [notices.declined, notices.notCharged]
  const says: Readonly<Record<number, Says>> = {
    404: area === 'panel' ? [panel.unknown, panel.unknownBody] : [errors.unknown, errors.unknownBody],
    413: refused,
    422: code === 'card_number_not_allowed' ? [panel.refused, panel.refusedBody] : refused,
    403: [errors.elsewhere, errors.elsewhereBody],
    429: [errors.busy, errors.busyBody],
    503: [errors.away, errors.awayBody],
  }
  return says[status] ?? [errors.broken, errors.brokenBody]
}

/** The error page. The log holds the details under the request id. */
export function errorPage({ assets, call, area }: RefusedPage, error: ApiError): HtmlPage {
  const language = readLanguage(call)
  const [title, body] = saysOf(language, area, error)
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
            {body && <p>{body}</p>}
            {area === 'panel' && <a href="/p">{language.texts.panel.overview}</a>}
          </Statement>
        </Card>
      </div>
    ),
  })
  return { html, status: error.status, headers: { ...pageHeaders({}), ...error.extras.headers } }
}
