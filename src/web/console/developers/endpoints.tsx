import { ApiError } from '../../../base/errors.ts'
import { KINDS, type Kind } from '../../../payments/kinds.ts'
import { STATES, type State } from '../../../payments/machine.ts'
import {
  addEndpoint,
  changeEndpoint,
  getEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  type WebhookEndpoint,
} from '../../../webhooks/endpoints/endpoints.ts'
import { endpointBodies, readEndpointInput, readEndpointPatch } from '../../../webhooks/endpoints/schema.ts'
import { checked } from '../../kit/form.tsx'
import { deliveryProblem } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { CheckGroup, SecretField } from '../../kit/html/choices.tsx'
import { Checkbox, Field } from '../../kit/html/controls.tsx'
import { Form, PostButton, QuestionButton, SaveButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { renderSecret } from '../../kit/secret-page.tsx'

const NAMES = Object.keys(STATES) as State[]
const KIND_NAMES = Object.keys(KINDS) as Kind[]
const BODIES = endpointBodies({ states: NAMES, kinds: KINDS })

const bare = (url: string): string => shortText(url.replace(/[?#].*$/s, ''), DESCRIPTION_SHOWN) ?? url
const pageOf = ({ base }: AppRequest, endpointId: string): string =>
  `${base}/developers/endpoints/${endpointId}`

/** The card of the webhooks page. */
export function Endpoints({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
  const request = useRequest()
  const { texts, base, can } = request
  const words = texts.endpoints
  return (
    <Card
      title={words.title}
      action={
        can('AppSettingWrite') && (
          <QuestionButton href={`${base}/developers/endpoints/new`}>{words.add}</QuestionButton>
        )
      }
    >
      <p class="muted">{words.intro}</p>
      {endpoints.length > 0 && (
        <List
          id="endpoints"
          caption={words.title}
          items={endpoints}
          href={({ endpointId }) => pageOf(request, endpointId)}
          columns={[
            {
              label: words.name,
              cell: ({ url, endpointId, number }) => (
                <span class="key-name">
                  <a href={pageOf(request, endpointId)}>
                    <bdi>{bare(url)}</bdi>
                  </a>
                  {number === 0 && <span class="muted small">{words.first}</span>}
                </span>
              ),
            },
            { label: words.told, cell: (endpoint) => toldText(request, endpoint) },
            { label: words.condition, cell: (endpoint) => conditionText(request, endpoint) },
          ]}
        />
      )}
    </Card>
  )
}

function toldText({ texts }: AppRequest, { states, kinds }: WebhookEndpoint): string {
  const { endpoints: words, frame } = texts
  const stateNames = states?.map((state) => frame.states[state as State] ?? state).join(', ') ?? words.every
  const kindNames = kinds?.map((kind) => words.kinds[kind as Kind] ?? kind).join(', ')
  return kindNames === undefined ? stateNames : `${kindNames} · ${stateNames}`
}

function conditionText(request: AppRequest, { isPaused, health }: WebhookEndpoint): string {
  const words = request.texts.endpoints
  if (isPaused) return words.paused
  return health ? words.failing({ problem: deliveryProblem(request, health.lastError) }) : words.active
}

const crumbs = ({ texts, base }: AppRequest) => [
  { label: texts.developers.tabs.webhooks, href: `${base}/developers/webhooks` },
]

/** Without an endpoint: the form of a new one. */
function render(request: AppRequest, endpoint: WebhookEndpoint | undefined, problem?: ApiError): PageAnswer {
  const { texts } = request
  return renderScreen(request, {
    name: 'developers',
    title: endpoint ? bare(endpoint.url) : texts.endpoints.add,
    crumbs: crumbs(request),
    ...refused(request, problem),
    actions: endpoint && <EndpointActions endpoint={endpoint} />,
    children: <EndpointForm endpoint={endpoint} problem={problem} />,
  })
}

function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const request = useRequest()
  const { texts, can } = request
  const page = pageOf(request, endpoint.endpointId)
  return (
    <span class="buttons">
      {can('DeveloperWrite') && (
        <>
          <PostButton action={`${page}/test`}>{texts.developers.sendTest}</PostButton>
          <QuestionButton href={`${page}/secret`}>{texts.developers.rotateSecret}</QuestionButton>
        </>
      )}
      {can('AppSettingWrite') && (
        <QuestionButton href={`${page}/remove`} kind="danger">
          {texts.endpoints.remove}
        </QuestionButton>
      )}
    </span>
  )
}

interface EndpointFormProps {
  readonly endpoint: WebhookEndpoint | undefined
  readonly problem: ApiError | undefined
}

function EndpointForm({ endpoint, problem }: EndpointFormProps) {
  const request = useRequest()
  const { texts, base, call, can } = request
  const { endpoints: words, developers } = texts
  const errors = errorsByField(problem)
  const page = endpoint ? pageOf(request, endpoint.endpointId) : `${base}/developers/endpoints/new`
  const kept = (name: string, stored: string | null | undefined) => call.form.get(name) ?? stored ?? ''
  return (
    <Card>
      <Form action={page}>
        <Field
          id="endpoint-url"
          name="url"
          type="url"
          label={words.url}
          hint={endpoint?.number === 0 ? words.firstHint : words.urlHint}
          value={kept('url', endpoint?.url)}
          required
          ltr
          {...errors.for('url')}
        />
        <Field
          id="endpoint-scheme"
          name="scheme"
          label={developers.authScheme}
          value={kept('scheme', endpoint?.authScheme)}
          ltr
          {...errors.for('authorizationHeaderScheme')}
        />
        <SecretField
          id="endpoint-parameter"
          name="parameter"
          label={developers.authParameter}
          hint={endpoint?.hasAuthParameter ? developers.authKept : undefined}
          {...errors.for('authorizationHeaderParameter')}
        />
        <Choices endpoint={endpoint} />
        {can('AppSettingWrite') && (
          <div class="buttons">
            <SaveButton page={page}>{endpoint ? words.save : words.add}</SaveButton>
          </div>
        )}
      </Form>
    </Card>
  )
}

/** Which events the endpoint receives, and whether it is paused. */
function Choices({ endpoint }: Pick<EndpointFormProps, 'endpoint'>) {
  const { texts, call } = useRequest()
  const words = texts.endpoints
  const isForm = call.form.has('url')
  const ticked = (name: 'states' | 'kinds') => (isForm ? call.fieldsOf(name) : (endpoint?.[name] ?? []))
  const [states, kinds] = [ticked('states'), ticked('kinds')]
  const isPaused = isForm ? call.form.has('paused') : endpoint?.isPaused === true
  return (
    <>
      <CheckGroup
        legend={words.told}
        hint={words.statesHint}
        name="states"
        choices={NAMES.map((value) => ({
          value,
          label: texts.frame.states[value],
          isChecked: states.includes(value),
        }))}
      />
      <CheckGroup
        legend={words.kindsTitle}
        hint={words.kindsHint}
        name="kinds"
        choices={KIND_NAMES.map((value) => ({
          value,
          label: words.kinds[value],
          isChecked: kinds.includes(value),
        }))}
      />
      <Checkbox id="endpoint-paused" name="paused" checked={isPaused}>
        {words.pause}
        <span class="muted small"> · {words.pauseHint}</span>
      </Checkbox>
    </>
  )
}

/** The members of the form that both requests of the API have. */
function postedBody({ call }: AppRequest) {
  const field = (name: string) => (call.form.get(name) ?? '').trim()
  return {
    url: field('url'),
    states: call.fieldsOf('states'),
    kinds: call.fieldsOf('kinds'),
    isPaused: call.form.has('paused'),
    authorizationHeaderScheme: { value: field('scheme') || null },
    ...(field('parameter') ? { authorizationHeaderParameter: { value: field('parameter') } } : {}),
  }
}

const postNew = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const input = readEndpointInput(checked(BODIES.input, postedBody(request)))
      const { endpoint, secret } = await addEndpoint(request.ctx, request.app, input)
      return showSecret(request, endpoint, secret)
    },
    (problem) => render(request, undefined, problem),
  )

const endpointOf = ({ ctx, app: merchant, call }: AppRequest): Promise<WebhookEndpoint> =>
  getEndpoint(ctx, merchant, call.params.endpointId ?? '')

async function post(request: AppRequest): Promise<PageAnswer> {
  const endpoint = await endpointOf(request)
  const { endpointId } = endpoint
  return retryForm(
    async () => {
      const patch = readEndpointPatch(checked(BODIES.patch, postedBody(request)))
      await changeEndpoint(request.ctx, request.app, endpointId, patch)
      return seeOther(`${pageOf(request, endpointId)}?note=endpoint-saved`)
    },
    (problem) => render(request, endpoint, problem),
  )
}

/** Why a test event was not accepted. */
export const testProblem = (
  request: AppRequest,
  last: { readonly error: string | null; readonly httpStatus: number | null } | undefined,
): string => (last?.error ? deliveryProblem(request, last.error) : String(last?.httpStatus ?? ''))

async function postTest(request: AppRequest): Promise<PageAnswer> {
  const endpoint = await endpointOf(request)
  const { attempts } = await testEndpoint(request.ctx, request.app, endpoint.endpointId)
  const last = attempts.at(-1)
  const page = pageOf(request, endpoint.endpointId)
  if (last?.httpStatus && !last.error)
    return seeOther(`${page}?note=tested&status=${last.httpStatus}&ms=${last.latencyMs}`)
  const words = request.texts.developers.testBad({ problem: testProblem(request, last) })
  return render(request, endpoint, new ApiError('not_possible', words, { isTranslated: true }))
}

const showSecret = (
  request: AppRequest,
  { url, endpointId }: WebhookEndpoint,
  secret: string,
): PageAnswer => {
  const { endpoints, developers } = request.texts
  return renderSecret(request, {
    name: 'developers',
    title: endpoints.secretTitle,
    crumbs: crumbs(request),
    intro: <p>{endpoints.secretBody({ url: bare(url) })}</p>,
    secret,
    label: endpoints.secretTitle,
    button: developers.keyStored,
    next: pageOf(request, endpointId),
  })
}

const ENDPOINT = '/developers/endpoints/{endpointId}'

export const endpointScreens: readonly ScreenRoute[] = [
  app('GET', '/developers/endpoints/new', proof('AppSettingWrite'), (request) => render(request, undefined)),
  app('POST', '/developers/endpoints/new', proof('AppSettingWrite'), postNew),
  app('GET', ENDPOINT, 'DeveloperRead', async (request) => render(request, await endpointOf(request))),
  app('POST', ENDPOINT, proof('AppSettingWrite'), post),
  app('POST', `${ENDPOINT}/test`, 'DeveloperWrite', postTest),
  ...question(`${ENDPOINT}/secret`, proof('DeveloperWrite'), {
    crumbs,
    subject: endpointOf,
    texts: ({ endpoints, developers }, { url }) => ({
      title: endpoints.rotateTitle({ url: bare(url) }),
      body: developers.rotateSecretBody,
      button: developers.rotateSecret,
    }),
    run: async (request, endpoint) => {
      const { secret } = await rotateEndpointSecret(request.ctx, request.app, endpoint.endpointId)
      return showSecret(request, endpoint, secret)
    },
  }),
  ...question(`${ENDPOINT}/remove`, proof('AppSettingWrite'), {
    kind: 'danger',
    back: '/developers/webhooks',
    crumbs,
    subject: endpointOf,
    texts: ({ endpoints }, { url }) => ({
      title: endpoints.removeTitle({ url: bare(url) }),
      body: endpoints.removeBody,
      button: endpoints.remove,
    }),
    run: async ({ ctx, app: merchant }, { endpointId }) => {
      await removeEndpoint(ctx, merchant, endpointId)
      return 'endpoint-removed'
    },
  }),
]
