import { parseUrl } from '../../../src/base/text.ts'
import type { Dice } from '../../simulate/dice.ts'
import type { FuzzAnswer } from '../wire/exchange.ts'
import { bytesOf, type FuzzRequest, type Header } from '../wire/request.ts'
import type { Send, World } from '../world.ts'
import { oddText } from './generate.ts'
import { brokenHeaders, brokenMethod } from './spoil.ts'
import { ODD_ENCODINGS } from './values.ts'

interface Form {
  readonly action: string
  readonly isPost: boolean
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const ADDRESSES: readonly string[] = [
  ...['/', '/docs', '/docs/errors', '/docs/payment-states', '/docs/test-values', '/checkout', '/test-cards'],
  ...['/docs/search', '/docs/guides/samples', '/docs/images/{odd}'],
  ...['/c/{key}', '/c/{key}/status', '/c/{key}/result', '/c/{key}/receipt', '/c/{key}/go', '/c/{key}/return'],
  ...[
    '/c/{key}/challenge/1',
    '/c/{key}/continue/1',
    '/c/{key}/back/1',
    '/c/{key}/pay',
    '/c/{key}/state',
    '/c/{key}/events',
  ],
  ...[
    '/p',
    '/p/{odd}',
    '/p/done',
    '/p/return',
    '/p/methods/new',
    '/p/methods/{odd}/verify',
    '/p/payments/{odd}',
  ],
  ...[
    '/sandbox/pay/{odd}',
    '/sandbox/keep/{odd}',
    '/sandbox/3ds/{odd}',
    '/assets/providers/{odd}',
    '/openapi.json',
  ],
]

const POSTS: readonly string[] = [
  ...[
    '/c/{key}/pay',
    '/c/{key}/cancel',
    '/c/{key}/methods/{odd}/remove',
    '/sandbox/tokens',
    '/p/open',
    '/p/leave',
  ],
  ...['/p/details', '/p/methods/new', '/p/methods/{odd}/remove', '/sandbox/pay/{odd}', '/sandbox/3ds/{odd}'],
]

/** Sends one valid, nearly valid or invalid request to a page. */
export async function requestPage(world: World, send: Send): Promise<void> {
  const { dice, known } = world
  const isPost = dice.chance(0.4)
  const template = dice.pick(isPost ? POSTS : ADDRESSES)
  const path = template
    .replace('{key}', () => (dice.chance(0.8) && known.any('paymentKey', dice)) || oddPart(dice))
    .replace('{odd}', () => oddPart(dice))
  const names = [
    'attempt',
    'way',
    'saved',
    'token',
    'back',
    'key',
    'method',
    'form',
    '_way',
    'problems',
    'lang',
    'q',
    'app',
  ]
  const pairs = Array.from({ length: dice.below(4) }, () => [dice.pick(names), fieldText(world)] as const)
  if (path === '/sandbox/tokens') pairs.push(['back', backText(world)])
  const encoded = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  const odd = dice.chance(0.2) ? [`${dice.pick(names)}=${dice.pick(ODD_ENCODINGS)}`] : []
  const form: readonly Header[] = [['Content-Type', 'application/x-www-form-urlencoded']]
  const request: FuzzRequest = isPost
    ? { method: 'POST', path, query: [], headers: form, body: Buffer.from([...encoded, ...odd].join('&')) }
    : { method: 'GET', path, query: [...encoded, ...odd], headers: [] }
  const sent = dice.chance(0.3) ? brokenHeaders(world, request) : request
  await send({ request: dice.chance(0.1) ? brokenMethod(world, sent) : sent, what: `page ${template}` })
}

const oddPart = (dice: Dice): string => {
  const text = oddText(dice).slice(0, 1_000)
  if (dice.chance(0.2)) return dice.pick(ODD_ENCODINGS)
  return dice.chance(0.3) ? '1' : encodeURIComponent(text.toWellFormed())
}

/** URLs for `back`, including invalid ones on the service's own host. */
const backText = ({ dice, url }: World): string =>
  dice.pick(['/c/żółć', '/c/\r\nx: y', '/p/\u0001', '/c/a b', '/c/%0d%0a', '/p/x'].map((path) => url + path))

const fieldText = (world: World): string => (world.dice.chance(0.3) ? backText(world) : oddText(world.dice))

/** Starts at a URL, follows links and redirects, and submits forms. */
export async function browse(world: World, send: Send, start: string): Promise<void> {
  const { dice } = world
  let cookie = ''
  let next: FuzzRequest | undefined = get(start)
  for (let step = 0; step < 9 && next; step++) {
    const headers: Header[] = [
      ...next.headers,
      ['Sec-Fetch-Dest', 'document'],
      ...(cookie ? [['Cookie', cookie] as const] : []),
    ]
    const request: FuzzRequest = { ...next, headers }
    const answer = await send({ request, what: 'browse' })
    cookie = /^(panel=[^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? cookie
    next = followed(world, request.path, answer)
    if (next && dice.chance(0.04)) next = brokenHeaders(world, next)
  }
}

const get = (address: string): FuzzRequest => {
  const [path = '/', query] = address.split('#')[0]?.split('?') ?? []
  return { method: 'GET', path: bytesOf(path), query: query ? [bytesOf(query)] : [], headers: [] }
}

/** The path of a URL on this site, or undefined for another site. */
function ownPath({ url }: World, from: string, address: string): string | undefined {
  const { origin, pathname, search } = parseUrl(address, `${url}${from}`) ?? {}
  return origin === url ? `${pathname}${search}` : undefined
}

function followed(world: World, from: string, answer: FuzzAnswer): FuzzRequest | undefined {
  const { dice } = world
  const location = answer.headers.get('location')
  if (location !== undefined) {
    const path = ownPath(world, from, location)
    return path === undefined ? undefined : get(path)
  }
  const forms = formsOf(answer.text)
  const links = [...answer.text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => unescaped(href))
  const form = forms.length > 0 && dice.chance(0.75) ? dice.pick(forms) : undefined
  const onwards = from.startsWith('/p') ? [...links, '/p/return', '/p/payments/1'] : [...links, '/p']
  const path = ownPath(world, from, form?.action ?? dice.pick(onwards))
  if (path === undefined) return undefined
  return form ? submitted(world, form, path) : get(path)
}

function submitted(world: World, { isPost, fields }: Form, path: string): FuzzRequest {
  const { dice } = world
  const filled = fields
    .filter(() => !dice.chance(0.03))
    .map(([name, value]) => [name, dice.chance(0.06) ? fieldText(world) : typed(dice, name, value)] as const)
  const body = filled.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  if (!isPost) return { ...get(path), query: [body] }
  const headers: readonly Header[] = [['Content-Type', 'application/x-www-form-urlencoded']]
  return { ...get(path), method: 'POST', headers, body: Buffer.from(body) }
}

const CARDS = ['4242 4242 4242 4242', '4000000000003220', '4000 0000 0000 9995', '4111111111111111', '1']

/** The input for a field of this name. */
function typed(dice: Dice, name: string, value: string): string {
  if (name === 'number') return dice.pick(CARDS)
  if (name === 'expiry') return dice.pick(['12 / 31', '1299', '13/31'])
  if (name === 'code') return dice.pick(['123', '12', '1234'])
  if (name === 'name' && value === '') return dice.pick(['Dana Doe', 'żółć'])
  if (name === 'routing') return '110000000'
  if (name === 'account') return '000123456789'
  if (/^(?:amount|first|second)/.test(name) && value === '') return dice.pick(['32', '45', '0.32', 'x'])
  return value
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? '')

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inside = '']) => {
    const tags = [...inside.matchAll(/<(?:input|button|select|textarea)\b[^>]*/g)].map(([tag]) => tag)
    const buttons = tags.filter((tag) => tag.startsWith('<button') && attribute(tag, 'name') !== undefined)
    const others = tags.filter((tag) => !tag.startsWith('<button') && attribute(tag, 'name') !== undefined)
    const pressed = buttons.length > 0 ? [buttons[inside.length % buttons.length] ?? ''] : []
    const fields = [...others, ...pressed].map(
      (tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const,
    )
    return { action: attribute(head, 'action') ?? '', isPost: /method="post"/i.test(head), fields }
  })
}
