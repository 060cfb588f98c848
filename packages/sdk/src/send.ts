import { refusal, TenderError } from './errors.ts'

/** An id in a path. */
export type Id = string | number

export interface TenderOptions {
  /** Where the service runs, such as `https://pay.example`. */
  readonly url: string
  readonly appId: string
  /** An API key of the app. */
  readonly apiKey: string
  /** Time for one try, in milliseconds. Default: 40,000; the service waits for providers up to 30 s. */
  readonly timeoutMs?: number
  /** How many times a call is sent again. Default: 3. */
  readonly maxRetries?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Replaces the wait between two tries, for tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface CallOptions {
  /**
   * Identifies this call. All tries carry the same key, a random one by default. Give your own if you repeat
   * the call yourself after an error.
   */
  readonly idempotencyKey?: string
  /** How long the service waits for a provider: up to 30 seconds, 10 by default. 0: it answers at once. */
  readonly waitSeconds?: number
  readonly timeoutMs?: number
  readonly maxRetries?: number
  /** Ends the call, retries included. */
  readonly signal?: AbortSignal
  /** Another credential, such as the operator token for `licenses.create`. */
  readonly apiKey?: string
  /** Further headers, such as `sealing-key` of an import. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Inputs {
  /** Bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly query?: object | undefined
  readonly options?: CallOptions | undefined
}

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A file that is read while it arrives. The time limit of a try is for its first byte. */
export interface TenderFile {
  /** As the service names it. */
  readonly name: string | undefined
  readonly contentType: string
  readonly body: ReadableStream<Uint8Array>
  /** The whole file. */
  text(): Promise<string>
}

export interface Send {
  <T>(method: Verb, path: string, inputs: Inputs): Promise<T>
  file(path: string, inputs: Inputs): Promise<TenderFile>
  /** The body of a page and the query of the next one. */
  page<T>(path: string, inputs: Inputs): Promise<{ items: T[]; next: string | undefined }>
}

/** The rows of a list. Pages are read while you iterate. */
export interface List<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<T[]>
  /** The first rows, at most `count`. */
  take(count: number): Promise<T[]>
}

const TIMEOUT_MS = 40_000
const MAX_RETRIES = 3
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** A longer Retry-After is for the caller to decide. */
const LONGEST_RETRY_AFTER_SECONDS = 60

/** A part of a path. Dots alone would name another path. */
export function segment(id: Id): string {
  const text = String(id)
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`'${text}' cannot be part of the address of a call.`)
  return encodeURIComponent(text)
}

export function senderOf(client: TenderOptions): Send {
  const send = async <T>(method: Verb, path: string, inputs: Inputs): Promise<T> => {
    const { text } = await exchange(client, request(client, method, path, inputs), readText)
    return (text === '' ? undefined : parsed(text)) as T
  }
  return Object.assign(send, {
    async page<T>(path: string, inputs: Inputs) {
      const { text, headers } = await exchange(client, request(client, 'GET', path, inputs), readText)
      const items = parsed(text)
      if (!Array.isArray(items))
        throw new TenderError({ code: 'unreadable_answer', message: 'The answer is no list.' })
      return { items: items as T[], next: nextQuery(headers.get('link')) }
    },
    file: (path: string, inputs: Inputs) => exchange(client, request(client, 'GET', path, inputs), fileOf),
  })
}

const readText = async (response: Response): Promise<Answer> => ({
  text: await response.text(),
  headers: response.headers,
})

const fileOf = async (response: Response): Promise<TenderFile> => ({
  name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1],
  contentType: response.headers.get('content-type') ?? '',
  body: response.body ?? new Blob([]).stream(),
  text: () => response.text().catch(cutOff),
})

function cutOff(cause: unknown): never {
  throw new TenderError({ code: 'no_answer', message: 'The file did not arrive whole.', cause })
}

export function listOf<T>(send: Send, path: string, inputs: Inputs): List<T> {
  async function* pages(): AsyncGenerator<T[], void, undefined> {
    let query = inputs.query
    for (;;) {
      const { items, next } = await send.page<T>(path, { ...inputs, query })
      yield items
      if (next === undefined) return
      query = Object.fromEntries(new URLSearchParams(next))
    }
  }
  async function* rows(): AsyncGenerator<T, void, undefined> {
    for await (const page of pages()) yield* page
  }
  return {
    pages,
    [Symbol.asyncIterator]: rows,
    async take(count) {
      const taken: T[] = []
      if (count > 0) for await (const row of rows()) if (taken.push(row) >= count) break
      return taken
    },
  }
}

/** Only the query is used: the key is never sent to an address that an answer names. */
const nextQuery = (link: string | null): string | undefined =>
  /<[^>?]*\?([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]

interface Request {
  readonly url: string
  readonly init: RequestInit
  readonly options: CallOptions
  /** Whether a try without an answer may be repeated. Licences have no app that would remember the key. */
  readonly isRepeatable: boolean
}

function request(client: TenderOptions, method: Verb, path: string, inputs: Inputs): Request {
  const { body, query, options = {} } = inputs
  const hasApp = path.includes('{appId}')
  const authorization = `Bearer ${checkedKey(options.apiKey ?? client.apiKey)}`
  const headers: Record<string, string> = { ...options.headers, authorization }
  const isFile = body instanceof Uint8Array
  if (body !== undefined) headers['content-type'] = isFile ? 'application/octet-stream' : 'application/json'
  if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID()
  if (options.waitSeconds !== undefined)
    headers.prefer = options.waitSeconds === 0 ? 'respond-async' : `wait=${options.waitSeconds}`
  return {
    url: client.url.replace(/\/+$/, '') + path.replace('{appId}', segment(client.appId)) + queryText(query),
    // A redirect would turn a POST into a GET.
    init: {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    },
    options,
    isRepeatable: hasApp || method === 'GET',
  }
}

/** `fetch` refuses a key with a line break too, and names the key in its error. */
function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError(
    'The API key is empty or has a space, a line break or another character that no key has.',
  )
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

interface Answer {
  readonly text: string
  readonly headers: Headers
}

/** Reads the answer of a success. */
type Read<T> = (response: Response) => Promise<T>

/** Sends the request until it is answered for good, at most `maxRetries` times more. */
async function exchange<T>(client: TenderOptions, request: Request, read: Read<T>): Promise<T> {
  const { options } = request
  const maxRetries = options.maxRetries ?? client.maxRetries ?? MAX_RETRIES
  for (let retries = 0; ; retries++) {
    const result = await attempt(client, request, read)
    if (!(result instanceof TenderError)) return result
    if (retries >= maxRetries || !mayRepeat(result, request)) throw result
    await (client.wait ?? wait)(waitMs(result, retries), options.signal)
  }
}

/** Refusals with a time to come back did nothing. Other answers of 500 and more, and none, may have. */
function mayRepeat(
  { status, isRetryable, retryAfterSeconds }: TenderError,
  { isRepeatable }: Request,
): boolean {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds <= LONGEST_RETRY_AFTER_SECONDS
  return isRetryable && (status === 429 || isRepeatable)
}

/** Doubled with each try; half of it random, so that clients do not come back together. */
function waitMs({ retryAfterSeconds }: TenderError, retries: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries)
  const jittered = most / 2 + (most / 2) * Math.random()
  return Math.max(jittered, (retryAfterSeconds ?? 0) * 1_000)
}

/** One try. An abort by the caller is thrown; every other failure is returned. */
async function attempt<T>(
  client: TenderOptions,
  { url, init, options }: Request,
  read: Read<T>,
): Promise<T | TenderError> {
  const { signal } = options
  signal?.throwIfAborted()
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal?.addEventListener('abort', abort)
  try {
    const response = await (client.fetch ?? fetch)(url, { ...init, signal: controller.signal })
    return response.ok ? await read(response) : refusal(response, await response.text())
  } catch (cause) {
    signal?.throwIfAborted()
    return controller.signal.aborted
      ? new TenderError({ code: 'timed_out', message: `No answer within ${timeoutMs} ms.`, cause })
      : new TenderError({ code: 'no_answer', message: `No answer: ${reason(cause)}`, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function reason(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: string; cause?: { message?: string } }
  return cause?.message || message || 'the connection failed.'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TenderError({ code: 'unreadable_answer', message: 'The answer is not JSON.', cause })
  }
}

const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
