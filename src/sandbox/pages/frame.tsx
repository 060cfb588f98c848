import type { ComponentChildren } from 'preact'
import { money } from '../../base/money.ts'
import { moneyText } from '../../web/kit/format/money.tsx'
import { plainBrand } from '../../web/kit/html/brand.ts'
import { LinkButton } from '../../web/kit/html/controls.tsx'
import { pageHeaders } from '../../web/kit/html/headers.ts'
import { Card, Statement } from '../../web/kit/html/layout.tsx'
import { pageHtml } from '../../web/kit/html/page.tsx'
import { LANGUAGES, type Language } from '../../web/kit/i18n/languages.ts'
import type { PageAnswer } from '../../web/kit/request/answer.ts'
import { type BrowserResult, openPage, type PageView } from '../helpers/browser.ts'
import type { SandboxPageContext } from './page-context.ts'

/** The sandbox pages are for developers: English only, like the documentation. */
export const ENGLISH = LANGUAGES[0] as Language

export interface SandboxPageContent {
  readonly title: string
  readonly children: ComponentChildren
  readonly status?: number
  /** May be shown in a frame of the checkout, as a challenge is. */
  readonly framable?: boolean
  readonly isFramed?: boolean
  readonly name?: string
}

export function sandboxPage({ assets }: SandboxPageContext, page: SandboxPageContent): PageAnswer {
  const brand = plainBrand(page.name ?? 'Sandbox provider', true)
  const html = pageHtml({
    language: ENGLISH,
    brand,
    title: page.title,
    page: 'simulator',
    bare: page.isFramed === true,
    style: assets.style.path,
    script: assets.script.path,
    children: (
      <div class="narrow">
        <Card>{page.children}</Card>
      </div>
    ),
  })
  const headers = pageHeaders({ brand, framable: page.framable ? 'anywhere' : false })
  return { html, headers, status: page.status ?? 200 }
}

export const shownAmount = ({ amount, currency }: PageView): string => {
  const { minor } = money(BigInt(amount), currency)
  return moneyText(ENGLISH, minor, currency)
}

export const readPage = (
  { sandbox, ctx }: SandboxPageContext,
  session: string,
): Promise<BrowserResult<{ page: PageView }>> => openPage(sandbox.browser(ctx.http), session)

/** Shown for a page that is paid, cancelled or expired, or that does not exist. */
export function closedPage(
  context: SandboxPageContext,
  page: Pick<PageView, 'back'> | undefined,
): PageAnswer {
  return sandboxPage(context, {
    title: 'This page is closed',
    status: page ? 200 : 404,
    framable: true,
    children: (
      <Statement icon={page ? 'lock' : 'search'} title="This page is closed">
        <p>
          {page
            ? 'It was paid on, cancelled, or left for too long.'
            : 'The sandbox provider knows no such page.'}
        </p>
        {page?.back && <LinkButton href={page.back}>Back to the shop</LinkButton>}
      </Statement>
    ),
  })
}

export function silentPage(context: SandboxPageContext, page: Pick<PageView, 'back'>): PageAnswer {
  return sandboxPage(context, {
    title: 'No answer',
    framable: true,
    children: (
      <Statement icon="clock" tone="warn" title="The sandbox bank does not answer">
        <p>A fault that was asked for. It may have acted all the same: the shop finds out.</p>
        {page.back && <LinkButton href={page.back}>Back to the shop</LinkButton>}
      </Statement>
    ),
  })
}
