import Type from 'typebox'
import type { Actor } from '../base/actor.ts'
import { LIMITS } from '../base/limits.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import type { App } from '../merchants/app.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../merchants/app-route.ts'
import { getPayment } from '../payments/actions.ts'
import { allows } from '../payments/view.ts'
import {
  acceptDispute,
  type DisputeDetails,
  getDispute,
  listDisputes,
  removeFile,
  saveEvidence,
  saveFile,
  submitEvidence,
} from './commands.ts'
import { DISPUTES } from './limits.ts'
import {
  DisputeAnswer,
  DisputeDetailsAnswer,
  DisputeParams,
  DisputesQuery,
  EvidenceBody,
  EXAMPLES,
  FileParams,
} from './schema.ts'
import { cursorText, detailsView, disputeView, readCursor } from './view.ts'

const common = { tag: 'Disputes', status: 200 } as const

export const disputeRoutes = (ctx: Context): Route[] => [
  ...readingRoutes(ctx),
  ...evidenceRoutes(ctx),
  ...answerRoutes(ctx),
]

async function shown(ctx: Context, app: App, disputeId: string) {
  const details = await getDispute(ctx, app, disputeId)
  const payment = await getPayment(ctx, app, details.dispute.paymentId)
  return detailsView(app, details, allows(ctx, app, payment, 'refund'))
}

interface Changing {
  readonly params: { readonly disputeId: string }
  readonly actor?: Actor | undefined
}

type Change = (ctx: Context, app: App, details: DisputeDetails) => Promise<void>

/** Changes a dispute on behalf of the caller and returns it as it is then. */
async function changed(ctx: Context, app: App, { params, actor }: Changing, change: Change) {
  const { disputeId } = params
  await change(acting(ctx, actor), app, await getDispute(ctx, app, disputeId))
  return shown(ctx, app, disputeId)
}

function readingRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/disputes',
      list: true,
      summary: 'List disputes: open ones by deadline, then decided ones, the newest first',
      query: DisputesQuery,
      response: Type.Array(DisputeAnswer),
      responseHeaders: LINK_HEADER,
      examples: { response: EXAMPLES.list },
      handler: async (app, { query, reply }) => {
        const { state, before, pageSize } = query
        const limit = Number(pageSize ?? LIMITS.defaultPageSize)
        const { items, next } = await listDisputes(ctx, app, { state, after: readCursor(before), limit })
        if (next)
          reply.header('link', nextPageLink(ctx, app, 'disputes', { ...query, before: cursorText(next) }))
        return items.map((dispute) => disputeView(app, dispute))
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/disputes/{disputeId}',
      summary: 'Read a dispute with its evidence and the limits of its provider',
      params: DisputeParams,
      response: DisputeDetailsAnswer,
      errors: ['not_found'],
      examples: { response: EXAMPLES.details },
      handler: (app, { params }) => shown(ctx, app, params.disputeId),
    }),
  ]
}

function evidenceRoutes(ctx: Context): Route[] {
  const file = {
    ...common,
    path: '/disputes/{disputeId}/files/{kind}',
    params: FileParams,
    response: DisputeDetailsAnswer,
  } as const
  return [
    appRoute({
      ...common,
      method: 'PUT',
      path: '/disputes/{disputeId}/evidence',
      summary: 'Save the texts of the evidence as a draft',
      description: 'Nothing is sent to the provider before `submit`.',
      params: DisputeParams,
      body: EvidenceBody,
      response: DisputeDetailsAnswer,
      errors: ['not_found', 'not_possible'],
      examples: { body: EXAMPLES.texts, response: EXAMPLES.details },
      handler: (app, call) =>
        changed(ctx, app, call, (as, of, details) =>
          saveEvidence(as, of, details, call.body.texts as Readonly<Record<string, string | null>>),
        ),
    }),
    appRoute({
      ...file,
      method: 'PUT',
      summary: 'Save a file of the evidence',
      description:
        'The body is the file: PDF, JPEG or PNG, which is checked by its content. A file of the same kind ' +
        'is replaced.',
      rawBody: true,
      bodyBytes: DISPUTES.fileBytes,
      errors: ['not_found', 'invalid_request', 'not_possible', 'payload_too_large'],
      examples: { response: EXAMPLES.details },
      handler: (app, call) =>
        changed(ctx, app, call, (as, of, details) =>
          saveFile(as, of, details, { kind: call.params.kind, bytes: call.body as Uint8Array }),
        ),
    }),
    appRoute({
      ...file,
      method: 'DELETE',
      summary: 'Remove a file from the draft',
      errors: ['not_found', 'not_possible'],
      examples: { response: EXAMPLES.details },
      handler: (app, call) =>
        changed(ctx, app, call, (as, of, details) => removeFile(as, of, details, call.params.kind)),
    }),
  ]
}

function answerRoutes(ctx: Context): Route[] {
  const answer = {
    ...common,
    method: 'POST',
    params: DisputeParams,
    response: DisputeDetailsAnswer,
    errors: ['not_found', 'not_possible'],
  } as const
  return [
    appRoute({
      ...answer,
      path: '/disputes/{disputeId}/submit',
      summary: 'Submit the evidence to the provider',
      description:
        'It is submitted once, however often this is called. When the reply of the provider is lost, ' +
        '`answer` is `submitting` until the provider was read.',
      examples: { response: { ...EXAMPLES.details, answer: 'submitted' } },
      handler: (app, call) => changed(ctx, app, call, submitEvidence),
    }),
    appRoute({
      ...answer,
      path: '/disputes/{disputeId}/accept',
      summary: 'Accept a dispute: the payer keeps the money',
      description: 'It cannot be undone. The payment follows when the provider reports the result.',
      examples: { response: { ...EXAMPLES.details, answer: 'accepted' } },
      handler: (app, call) => changed(ctx, app, call, acceptDispute),
    }),
  ]
}
