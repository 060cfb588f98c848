import { type Answer, at, type Call, error, type Route } from './route.ts'
import * as schemas from './schemas.ts'
import { type Endpoint, newHmacKey, newId, type State } from './state.ts'

/** Webhooks, by the Management API. */

const webhookView = ({ id, url, events, properties }: Endpoint) => ({
  ...{ id, url, type: 'standard', active: true, communicationFormat: 'json', hasError: false },
  additionalSettings: { includeEventCodes: events, properties },
})

interface Additional {
  readonly includeEventCodes?: readonly string[]
  readonly properties?: Readonly<Record<string, boolean>>
}

function createWebhook({ state, body }: Call): Answer {
  const settings = (body.additionalSettings ?? {}) as Additional
  const problem = settingsProblem(state, settings)
  if (problem) return problem
  const { includeEventCodes: events = [], properties = {} } = settings
  const endpoint = { id: newId('S2-'), url: String(body.url), keys: [], events, properties }
  state.endpoints.set(endpoint.id, endpoint)
  return { status: 200, body: webhookView(endpoint) }
}

function changeWebhook({ state, id, body }: Call): Answer {
  const endpoint = state.endpoints.get(id)
  if (!endpoint) return error(404, '000', 'not found')
  const settings = (body.additionalSettings ?? {}) as Additional
  const problem = settingsProblem(state, settings)
  if (problem) return problem
  endpoint.events = settings.includeEventCodes ?? endpoint.events
  endpoint.properties = { ...endpoint.properties, ...settings.properties }
  return { status: 200, body: webhookView(endpoint) }
}

/** One code that the account cannot have refuses the whole request. */
function settingsProblem(
  { unknownEvents }: State,
  { includeEventCodes = [] }: Additional,
): Answer | undefined {
  const unknown = includeEventCodes.find((code) => unknownEvents.has(code))
  return unknown === undefined ? undefined : error(422, '30_011', `Unknown event code ${unknown}`)
}

function generateHmac({ state, id }: Call): Answer {
  const endpoint = state.endpoints.get(id)
  if (!endpoint) return error(404, '000', 'not found')
  const hmacKey = newHmacKey()
  endpoint.keys.unshift(hmacKey)
  return { status: 200, body: { hmacKey } }
}

const HOOK_ID = '([A-Z0-9-]+)'
const HOOKS = '/v3/merchants/[^/]+/webhooks'

export const WEBHOOK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: at(HOOKS),
    query: ['pageSize'],
    run: ({ state }) => ({
      status: 200,
      body: {
        data: [...state.endpoints.values()].map(webhookView),
        itemsTotal: state.endpoints.size,
        pagesTotal: 1,
      },
    }),
  },
  { method: 'POST', pattern: at(HOOKS), check: schemas.WEBHOOK, run: createWebhook },
  { method: 'PATCH', pattern: at(`${HOOKS}/${HOOK_ID}`), check: schemas.WEBHOOK_CHANGE, run: changeWebhook },
  { method: 'POST', pattern: at(`${HOOKS}/${HOOK_ID}/generateHmac`), run: generateHmac },
]
