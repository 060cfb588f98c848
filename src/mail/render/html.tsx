import { renderToString } from 'preact-render-to-string'
import { type BrandColours, brandColours, DEFAULT_BRAND } from '../../base/presentation/colour.ts'
import type { Block, FooterLine, Message } from './message.ts'

/** How the sender looks. */
interface MailBrand {
  readonly name: string
  /** `#rrggbb`; null: the default. */
  readonly color: string | null
  /** `cid:logo` in a message, an address in the preview. */
  readonly logo?: string | undefined
  readonly isSandbox: boolean
}

export interface MailLook {
  readonly brand: MailBrand
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const CARD = 'padding:28px 24px;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px'

/**
 * Mail programs that know no dark mode, or invert colours by themselves, use the inline styles: every colour
 * of a text comes with that of its background. The others use these.
 */
const darkSheet = ({ fillDark, onFillDark, textDark }: BrandColours): string =>
  `@media (prefers-color-scheme:dark){
.page{background:#0f1216!important}.card{background:#171b21!important;border-color:#2c333d!important}
.ink{color:#e8ebf0!important}.faint{color:#a6afbd!important}.line{border-color:#2c333d!important}
.go{background:${fillDark}!important;color:${onFillDark}!important}.link{color:${textDark}!important}}`

/** The HTML of a message: inline styles, no script, nothing from other hosts. Preact escapes every value. */
export function htmlOf(message: Message, { brand, lang, dir }: MailLook): string {
  const colours = brandColours(brand.color ?? DEFAULT_BRAND)
  const start = dir === 'rtl' ? 'right' : 'left'
  const page = (
    <html lang={lang} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{message.subject}</title>
        <style dangerouslySetInnerHTML={{ __html: darkSheet(colours) }} />
      </head>
      <body class="page" style={`margin:0;padding:0;background:#f4f5f7;${FONT}`}>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" dir={dir}>
          <tr>
            <td class="page" align="center" style="padding:24px 12px;background:#f4f5f7">
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
                <Head brand={brand} colours={colours} start={start} />
                <tr>
                  <td class="card" align={start} style={`${CARD};text-align:${start}`}>
                    <h1
                      class="ink"
                      style={`margin:0 0 16px;font-size:22px;line-height:1.3;color:#16191f;${FONT}`}
                    >
                      {message.heading}
                    </h1>
                    {message.blocks.map((block) => (
                      <BlockHtml block={block} colours={colours} start={start} />
                    ))}
                  </td>
                </tr>
                <Foot lines={message.footer} colours={colours} start={start} />
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
  return `<!doctype html>\n${renderToString(page)}`
}

interface Colours {
  readonly colours: BrandColours
  readonly start: 'left' | 'right'
}

function Head({ brand, colours, start }: Colours & { readonly brand: MailBrand }) {
  return (
    <tr>
      <td align={start} style={`padding:0 4px 16px;text-align:${start}`}>
        {brand.logo && (
          <img
            src={brand.logo}
            alt=""
            height={40}
            style="height:40px;max-width:200px;vertical-align:middle;border:0;margin-inline-end:12px"
          />
        )}
        <span class="link" style={`font-size:17px;font-weight:600;color:${colours.textLight};${FONT}`}>
          {brand.name}
        </span>
      </td>
    </tr>
  )
}

const PARAGRAPH = `margin:0 0 16px;font-size:16px;line-height:1.5;color:#16191f;${FONT}`

function BlockHtml({ block, colours, start }: Colours & { readonly block: Block }) {
  if (block.kind === 'text')
    return (
      <p class="ink" style={PARAGRAPH}>
        {block.text}
      </p>
    )
  if (block.kind === 'button') return <ButtonHtml {...block} colours={colours} />
  const cell = `padding:8px 0;font-size:15px;line-height:1.4;border-top:1px solid #e2e5ea;${FONT}`
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px">
      {block.rows.map(({ label, value }) => (
        <tr>
          <td
            class="faint line"
            align={start}
            valign="top"
            style={`${cell};color:#5b6472;text-align:${start};padding-inline-end:16px`}
          >
            {label}
          </td>
          <td
            class="ink line"
            align={start === 'left' ? 'right' : 'left'}
            valign="top"
            style={`${cell};color:#16191f;word-break:break-word`}
          >
            <bdi>{value}</bdi>
          </td>
        </tr>
      ))}
    </table>
  )
}

/** The address is also written out, for programs that show no links. */
function ButtonHtml({
  label,
  url,
  colours,
}: {
  readonly label: string
  readonly url: string
  readonly colours: BrandColours
}) {
  const look = `display:inline-block;padding:12px 24px;border-radius:8px;font-size:16px;font-weight:600`
  return (
    <p style="margin:24px 0">
      <a
        class="go"
        href={url}
        style={`${look};text-decoration:none;background:${colours.fill};color:${colours.onFill};${FONT}`}
      >
        {label}
      </a>
    </p>
  )
}

function Foot({ lines, colours, start }: Colours & { readonly lines: readonly FooterLine[] }) {
  return (
    <tr>
      <td align={start} style={`padding:16px 4px;text-align:${start}`}>
        {lines.map(({ text, url }) => (
          <p class="faint" style={`margin:0 0 8px;font-size:13px;line-height:1.5;color:#5b6472;${FONT}`}>
            {url ? (
              <a class="link" href={url} style={`color:${colours.textLight}`}>
                {text}
              </a>
            ) : (
              text
            )}
          </p>
        ))}
      </td>
    </tr>
  )
}
