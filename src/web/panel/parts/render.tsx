import type { ComponentChildren } from 'preact'
import type { PageAssets } from '../../kit/assets/assets.ts'
import { type Brand, plainBrand } from '../../kit/html/brand.ts'
import { LinkButton } from '../../kit/html/controls.tsx'
import { type PageSecurity, pageHeaders } from '../../kit/html/headers.ts'
import type { IconName } from '../../kit/html/icons.tsx'
import { Card, Statement } from '../../kit/html/layout.tsx'
import { type PageProps, pageHtml } from '../../kit/html/page.tsx'
import type { Language } from '../../kit/i18n/languages.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { PanelVisitor } from '../session.ts'

/** A panel page; `security` adds only the origins that the page needs. */
interface PanelPage {
  /** Page name for the client script and tests. */
  readonly name: string
  readonly title: string
  /** URL of the page. */
  readonly here: string
  readonly children: ComponentChildren
  readonly status?: number
  readonly security?: PageSecurity
  readonly refresh?: PageProps['refresh']
}

export type RenderPanel = (visitor: PanelVisitor, page: PanelPage) => PageAnswer

export function createRender(assets: PageAssets): RenderPanel {
  return (visitor, { name, title, here, children, status = 200, security, refresh }) => {
    const { brand, language } = visitor
    const html = pageHtml({
      language,
      brand,
      title,
      page: name,
      style: assets.style.path,
      script: assets.script.path,
      here,
      skip: language.texts.panel.skip,
      aside: <ReturnLink visitor={visitor} />,
      children,
      ...(refresh ? { refresh } : {}),
    })
    return { html, status, headers: pageHeaders({ brand, ...security }) }
  }
}

function ReturnLink({ visitor }: { readonly visitor: PanelVisitor }) {
  if (!visitor.grant.returnUrl) return null
  return (
    <a class="return" href="/p/return" rel="noreferrer">
      {visitor.language.texts.common.returnTo({ merchant: visitor.brand.name })}
    </a>
  )
}

export interface StandalonePage {
  readonly brand: Brand | undefined
  readonly language: Language
  readonly icon: IconName
  readonly title: string
  readonly body: string
  readonly status: number
  readonly returnUrl?: string | undefined
  /** Shown below the text. */
  readonly children?: ComponentChildren
}

/** A page without a session: before sign-in, or after the session ended. */
export function standalonePage(assets: PageAssets, page: StandalonePage): PageAnswer {
  const { language, title, body, icon, status, returnUrl } = page
  const brand = page.brand ?? plainBrand('Tender', false)
  const html = pageHtml({
    language,
    brand: page.brand,
    title,
    page: 'panel-closed',
    style: assets.style.path,
    skip: language.texts.panel.skip,
    children: (
      <div class="narrow">
        <Card>
          <Statement icon={icon} title={title}>
            <p>{body}</p>
          </Statement>
          {page.children}
          {returnUrl && (
            <LinkButton href={returnUrl}>
              {language.texts.common.returnTo({ merchant: brand.name })}
            </LinkButton>
          )}
        </Card>
      </div>
    ),
  })
  return { html, status, headers: pageHeaders({ brand: page.brand }) }
}
