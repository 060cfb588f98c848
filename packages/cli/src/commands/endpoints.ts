import type { WebhookEndpoint, WebhookEndpointInput } from '../../../sdk/src/tender.ts'
import { type Command, type Shown, table } from '../command.ts'

const row = ({ endpointId, url, states, kinds, isPaused, trouble }: WebhookEndpoint): unknown[] => [
  endpointId,
  isPaused ? 'paused' : (trouble?.status ?? 'active'),
  states?.join(',') ?? 'every state',
  kinds?.join(',') ?? 'every kind',
  url,
]

const shown = (endpoint: WebhookEndpoint): Shown => ({ data: endpoint, lines: table([row(endpoint)]) })

const pausing = (name: string, description: string, isPaused: boolean): Command => ({
  name: `endpoints ${name}`,
  description,
  args: ['endpointId'],
  run: async ({ tender, args: [endpointId = ''] }) =>
    shown(await tender.webhookEndpoints.update(endpointId, { isPaused })),
})

export const ENDPOINTS: readonly Command[] = [
  {
    name: 'endpoints list',
    description: 'List the webhook endpoints of the app.',
    async run({ tender }) {
      const data = await tender.webhookEndpoints.list()
      return { data, lines: table(data.map(row)) }
    },
  },
  {
    name: 'endpoints create',
    description: 'Add a webhook endpoint and show its secret.',
    args: ['url'],
    options: {
      states: { value: 'states', description: 'With commas between; every state by default.' },
      kinds: { value: 'kinds', description: 'payment, refund, dispute; every kind by default.' },
    },
    async run({ tender, args: [url = ''], values }) {
      // The service says which states and kinds there are.
      const states = values.states?.split(',') as WebhookEndpointInput['states']
      const kinds = values.kinds?.split(',') as WebhookEndpointInput['kinds']
      const chosen = { ...(states ? { states } : {}), ...(kinds ? { kinds } : {}) }
      const data = await tender.webhookEndpoints.create({ url, ...chosen })
      return { data, lines: [...table([row(data)]), data.secret, 'Store it now: it is not shown again.'] }
    },
  },
  pausing('pause', 'Collect the events of an endpoint instead of sending them.', true),
  pausing('resume', 'Send what a pause has collected.', false),
  {
    name: 'endpoints test',
    description: 'Send a test event to one endpoint.',
    args: ['endpointId'],
    async run({ tender, args: [endpointId = ''] }) {
      const data = await tender.webhookEndpoints.sendTest(endpointId)
      return { data, lines: table([[data.eventId, data.status, data.url]]) }
    },
  },
  {
    name: 'endpoints remove',
    description: 'Remove a webhook endpoint.',
    args: ['endpointId'],
    async run({ tender, args: [endpointId = ''] }) {
      await tender.webhookEndpoints.remove(endpointId)
      return { data: { endpointId }, lines: [`${endpointId} is removed.`] }
    },
  },
]
