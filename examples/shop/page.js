/** HTML in which every inserted text is escaped; lists and other HTML are inserted as they are. */
export function html(strings, ...values) {
  const parts = values.map((value, place) => inserted(value) + strings[place + 1])
  return { markup: strings[0] + parts.join('') }
}

function inserted(value) {
  if (Array.isArray(value)) return value.map(inserted).join('')
  return value?.markup ?? String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })
export const price = (cents) => euros.format(cents / 100)

export function page(reply, title, content) {
  const { markup } = html`<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1>${content}</main></html>`
  return reply.type('text/html').send(markup)
}

const STYLE = {
  markup: `
    body { font: 1.1rem/1.5 system-ui, sans-serif; color: #2b2118; background: #f6f1ea; margin: 0 }
    main { max-width: 32rem; margin: 3rem auto; padding: 2rem; background: #fff; border-radius: 1rem }
    h1 { margin-top: 0 }
    table { width: 100%; border-collapse: collapse }
    td, th { padding: .6rem 0; border-bottom: 1px solid #eadfd2; text-align: left }
    td:last-child, th:last-child { text-align: right }
    input { font: inherit; width: 4rem; text-align: right }
    button { font: inherit; margin-top: 1.5rem; padding: .6rem 1.5rem; border: 0; border-radius: .5rem;
      color: #fff; background: #7a4a21; cursor: pointer }
    .state { font-weight: 600; color: #7a4a21 }`,
}
