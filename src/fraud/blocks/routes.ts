import Type from 'typebox'
import { assert } from '../../base/assert.ts'
import { notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { Instant, InstantInput, maybe, name, readId, readInstant, text } from '../../http/wire.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../../merchants/app-route.ts'
import { BLOCK_KINDS } from '../verdict.ts'
import { addBlocks, type BlockEntry, blockPage, removeBlock } from './commands.ts'

const Kind = Type.Enum([...BLOCK_KINDS])

const ALLOWED =
  'Payments that meet the entry are let through without the checks of a policy, instead of being stopped.'

const BlockInput = Type.Object(
  {
    kind: Kind,
    value: name(320, {
      description:
        'A card as brand, last digits and expiry (`visa 4242 12/2030`), an e-mail address, a domain, an IP ' +
        'address or range, the id of a customer, or a two-letter country code.',
    }),
    reason: maybe(text(LIMITS.messageLength)),
    endTime: maybe(InstantInput, 'In the future. Null: it has no end.'),
    isAllowed: Type.Optional(Type.Boolean({ description: ALLOWED })),
  },
  { title: 'BlockEntryInput' },
)

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const BlockAnswer = Type.Object(
  {
    entryId: Type.Integer(),
    kind: Kind,
    value: nullable(Type.String(), 'Null: erased with the data of its customer. The entry still applies.'),
    reason: nullable(Type.String()),
    paymentId: nullable(Type.Integer(), 'The payment that it was taken from.'),
    createdTime: Instant,
    createdBy: nullable(Type.String(), 'The person or the API key.'),
    endTime: nullable(Instant),
    isAllowed: Type.Boolean({ description: ALLOWED }),
  },
  { title: 'BlockEntry' },
)

const blockView = ({ createdTime, endTime, ...entry }: BlockEntry) => ({
  entryId: entry.entryId,
  kind: entry.kind,
  value: entry.value,
  reason: entry.reason,
  paymentId: entry.paymentId,
  createdTime: createdTime.toISOString(),
  createdBy: entry.createdBy,
  endTime: endTime?.toISOString() ?? null,
  isAllowed: entry.isAllowed,
})

const PageQuery = Type.Object({
  kind: Type.Optional(Kind),
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      expected: 'taken from the link to the next page',
      description: 'Where a page begins; from the `Link` header of the one before.',
    }),
  ),
})

const PATH = '/block-list'

export function blockRoutes(ctx: Context): Route[] {
  const common = { tag: 'Block list' } as const
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: PATH,
      summary: 'The block list of the app, newest entries first',
      status: 200,
      list: true,
      query: PageQuery,
      response: Type.Array(BlockAnswer),
      responseHeaders: LINK_HEADER,
      handler: async (app, { query: { kind, before }, reply }) => {
        const page = await blockPage(ctx, app, { kind, before: readId(before ?? '') })
        const next = { ...(kind && { kind }), before: String(page.items.at(-1)?.entryId) }
        if (page.hasNext) reply.header('link', nextPageLink(ctx, app, 'block-list', next))
        return page.items.map(blockView)
      },
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: PATH,
      summary: 'Take no more payments from a card, an e-mail address, an IP address, a customer or a country',
      description:
        'An entry that exists gets the new reason and end. With `isAllowed` payments are let through: ' +
        'the policies are not asked. What the block list or the provider refuses stays refused.',
      status: 201,
      body: BlockInput,
      response: BlockAnswer,
      examples: { body: { kind: 'Email', value: 'pat@example.com', reason: 'Two disputes' } },
      handler: async (app, { body: { kind, value, reason, endTime, isAllowed }, actor }) => {
        const wanted = [{ kind, value, field: 'value' }]
        const details = { isAllowed, reason, endTime: endTime ? readInstant(endTime) : null }
        const [entry] = await addBlocks(acting(ctx, actor), app, wanted, details)
        assert(entry, 'an entry is added or refused')
        return blockView(entry)
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: `${PATH}/{entryId}`,
      summary: 'Remove an entry of the block list',
      status: 200,
      params: Type.Object({ appId: Type.String(), entryId: Type.String() }),
      errors: ['not_found'],
      handler: (app, { params, actor }) => {
        const entryId = readId(params.entryId)
        if (entryId === undefined) throw notFound('The entry')
        return removeBlock(acting(ctx, actor), app, entryId)
      },
    }),
  ]
}
