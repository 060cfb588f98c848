import type { Sheet } from '../../reference/sheet.ts'

/** Renders text with code in backticks. */
export function InlineText({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

/** Renders paragraphs, which are separated by empty lines. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph) => (
        <p>
          <InlineText text={paragraph} />
        </p>
      ))}
    </>
  )
}

/** Scrolls horizontally in a narrow window and can be focused by keyboard. */
function SheetTable({ sheet }: { readonly sheet: Sheet }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard focus
    <section class="wide" tabIndex={0} aria-label={sheet.title}>
      <table>
        <thead>
          <tr>
            {sheet.columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>
                  <InlineText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const anchorOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export function SheetSection({ sheet }: { readonly sheet: Sheet }) {
  return (
    <section id={anchorOf(sheet.title)}>
      <h2>{sheet.title}</h2>
      {sheet.description && <Prose text={sheet.description} />}
      <SheetTable sheet={sheet} />
    </section>
  )
}
