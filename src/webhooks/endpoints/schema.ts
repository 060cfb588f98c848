import Type, { type Static } from 'typebox'
import { Instant, maybe, patchOf, readPatch, UrlInput } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { AppPatch, MASK } from '../../merchants/apps/schema.ts'
import { endpointView } from '../view.ts'
import type { EndpointInput, EndpointPatch, WebhookEndpoint } from './endpoints.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const { webhookAuthorizationHeaderScheme, webhookAuthorizationHeaderParameter } = AppPatch.properties

const members = {
  endpointId: Type.String(),
  isFirst: Type.Boolean({ description: 'It is the webhook address of the app, also in its settings.' }),
  url: Type.String(),
  authorizationHeaderScheme: nullable(Type.String()),
  authorizationHeaderParameter: nullable(Type.String(), 'Masked: only whether one is set.'),
  states: nullable(Type.Array(Type.String()), 'The states whose events it receives. Null: all.'),
  kinds: nullable(Type.Array(Type.String()), 'The kinds of events that it receives. Null: all.'),
  isPaused: Type.Boolean({ description: 'It collects its events, for 30 days at most.' }),
  createdTime: Instant,
  trouble: nullable(
    Type.Object({
      status: Type.Enum(['failing', 'paused', 'disabled']),
      since: Instant,
      failures: Type.Integer({ description: 'In a row.' }),
      lastError: Type.String(),
      nextTryTime: nullable(Instant),
    }),
    'Null: none. As in `webhookHealth` of the app.',
  ),
}

export const EndpointAnswer = Type.Object(members, { title: 'WebhookEndpoint' })

export const NewEndpointAnswer = Type.Object(
  { ...members, secret: Type.String({ description: 'Signs what is sent to it. Shown once.' }) },
  { title: 'NewWebhookEndpoint' },
)

export const EndpointSecretAnswer = Type.Object(
  { secret: Type.String({ description: 'Shown once.' }), previousValidUntil: Instant },
  { title: 'WebhookEndpointSecret' },
)

export const EndpointParams = Type.Object({ appId: Type.String(), endpointId: Type.String() })

export function endpointAnswer(app: App, endpoint: WebhookEndpoint): Static<typeof EndpointAnswer> {
  const { endpointId, number, url, authScheme, hasAuthParameter, states, kinds, isPaused, health } = endpoint
  const { url: _url, ...trouble } = health ? endpointView(app, health) : { url }
  return {
    endpointId,
    isFirst: number === 0,
    url,
    authorizationHeaderScheme: authScheme,
    authorizationHeaderParameter: hasAuthParameter ? MASK : null,
    states: states && [...states],
    kinds: kinds && [...kinds],
    isPaused,
    createdTime: endpoint.createdTime.toISOString(),
    trouble: 'status' in trouble ? trouble : null,
  }
}

/** The states that payments have, and the kinds of their events with what each is about. */
export interface EventChoices {
  readonly states: readonly string[]
  readonly kinds: Readonly<Record<string, string>>
}

/** The bodies of requests. */
export function endpointBodies({ states, kinds }: EventChoices) {
  const names = Object.keys(kinds)
  const told = Object.entries(kinds).map(([kind, about]) => `\`${kind}\`: ${about}`)
  const Kinds = Type.Array(Type.Enum(names), { maxItems: names.length })
  const States = Type.Array(Type.Enum([...states]), { maxItems: states.length })
  const input = Type.Object(
    {
      url: UrlInput,
      states: maybe(States, 'Absent, null or empty: every state.'),
      kinds: maybe(
        Kinds,
        `Absent, null or empty: every kind. An event must be of a chosen kind and state. ${told.join('; ')}.`,
      ),
      isPaused: maybe(Type.Boolean()),
      authorizationHeaderScheme: webhookAuthorizationHeaderScheme,
      authorizationHeaderParameter: webhookAuthorizationHeaderParameter,
    },
    { title: 'WebhookEndpointInput' },
  )
  const patch = Type.Object(
    {
      url: patchOf(UrlInput),
      states: patchOf(States),
      kinds: patchOf(Kinds),
      isPaused: patchOf(Type.Boolean()),
      authorizationHeaderScheme: webhookAuthorizationHeaderScheme,
      authorizationHeaderParameter: webhookAuthorizationHeaderParameter,
    },
    {
      title: 'WebhookEndpointPatch',
      description:
        'Each member plain or as { "value": … }. Absent or null: unchanged. Empty `states` or `kinds`: all.',
    },
  )
  return { input, patch }
}

type Bodies = ReturnType<typeof endpointBodies>

const orNull = (text: string | null | undefined): string | null => text || null

export function readEndpointInput(body: Static<Bodies['input']>): EndpointInput {
  return {
    url: body.url,
    authScheme: orNull(readPatch(body.authorizationHeaderScheme)),
    authParameter: orNull(readPatch(body.authorizationHeaderParameter)),
    states: chosenOf(body.states ?? null),
    kinds: chosenOf(body.kinds ?? null),
    isPaused: body.isPaused ?? false,
  }
}

export function readEndpointPatch(body: Static<Bodies['patch']>): EndpointPatch {
  const scheme = readPatch(body.authorizationHeaderScheme)
  const parameter = readPatch(body.authorizationHeaderParameter)
  const states = readPatch(body.states)
  const kinds = readPatch(body.kinds)
  return {
    url: readPatch(body.url) ?? undefined,
    authScheme: scheme === undefined ? undefined : orNull(scheme),
    authParameter: parameter === undefined || parameter === MASK ? undefined : orNull(parameter),
    states: states === undefined ? undefined : chosenOf(states),
    kinds: kinds === undefined ? undefined : chosenOf(kinds),
    isPaused: readPatch(body.isPaused) ?? undefined,
  }
}

const chosenOf = (names: readonly string[] | null): readonly string[] | null =>
  names && names.length > 0 ? [...new Set(names)] : null
