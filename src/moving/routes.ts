import Type, { type Static } from 'typebox'
import english from '../../locales/en/console/moving.json'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { readBoolean } from '../http/wire.ts'
import { appRoute } from '../merchants/app-route.ts'
import { cancelImport, createImport, getImport, importsOf, problemsOf } from './commands.ts'
import type { Import } from './import.ts'
import { IMPORTS } from './limits.ts'
import type { WrongLine } from './read-file.ts'
import {
  EXAMPLE,
  ImportAnswer,
  ImportParams,
  ImportQuery,
  PROBLEM_EXAMPLE,
  ProblemAnswer,
  ProblemQuery,
} from './schema.ts'
import { problemText } from './words.ts'

const common = { tag: 'Imports', status: 200 } as const

export const movingRoutes = (ctx: Context): Route[] => [...listRoutes(ctx), ...oneRoutes(ctx)]

/** A header, because the body is the file and addresses are logged. */
const KEY_HEADER = 'sealing-key'

function listRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/imports',
      status: 201,
      summary: 'Import customers, stored payment methods and past payments',
      description:
        'The body is a CSV file as [moving in](/docs/guides/moving-in) describes it. Read the import until ' +
        'its state is `done`, then its problems. The same file twice changes nothing; while it is in ' +
        'progress it is answered with 200 and the same import. Tokens that are sealed need the key in the ' +
        'header `Sealing-Key`.',
      query: ImportQuery,
      rawBody: true,
      bodyBytes: IMPORTS.fileBytes,
      response: ImportAnswer,
      errors: ['payload_too_large', 'wrong_import_file', 'not_possible'],
      examples: { response: EXAMPLE },
      handler: async (app, { query, body, headers, actor, reply }) => {
        const key = headers[KEY_HEADER]
        const { made, isNew } = await createImport(acting(ctx, actor), app, {
          ...{ bytes: body as Uint8Array, name: query.fileName },
          isDryRun: readBoolean(query.isDryRun) ?? false,
          sealingKey: Array.isArray(key) ? key[0] : key,
        })
        if (!isNew) reply.code(200)
        return importView(made)
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/imports',
      summary: 'List the imports of the last thirty days, the newest first',
      response: Type.Array(ImportAnswer),
      examples: { response: [EXAMPLE] },
      handler: async (app) => (await importsOf(ctx, app)).map(importView),
    }),
  ]
}

function oneRoutes(ctx: Context): Route[] {
  const one = { ...common, params: ImportParams, errors: ['not_found'] } as const
  return [
    appRoute({
      ...one,
      method: 'GET',
      path: '/imports/{importId}',
      summary: 'Read an import and its progress',
      response: ImportAnswer,
      examples: { response: EXAMPLE },
      handler: async (app, { params }) => importView(await getImport(ctx, app, params.importId)),
    }),
    appRoute({
      ...one,
      method: 'GET',
      path: '/imports/{importId}/problems',
      summary: 'List the wrong lines of an import in their order, up to 1,000 after a line',
      query: ProblemQuery,
      response: Type.Array(ProblemAnswer),
      examples: { response: [PROBLEM_EXAMPLE] },
      handler: async (app, { params, query }) => {
        const found = await getImport(ctx, app, params.importId)
        const wrong = await problemsOf(ctx, found, Number(query.after ?? 0), PAGE)
        return wrong.map(problemView)
      },
    }),
    appRoute({
      ...one,
      method: 'POST',
      path: '/imports/{importId}/cancel',
      summary: 'Cancel an import that is not done; what is imported stays',
      response: ImportAnswer,
      examples: { response: { ...EXAMPLE, state: 'cancelled' } },
      handler: async (app, { params, actor }) =>
        importView(await cancelImport(acting(ctx, actor), app, params.importId)),
    }),
  ]
}

const PAGE = 1_000

const problemView = ({ line, problem }: WrongLine): Static<typeof ProblemAnswer> => ({
  line,
  code: problem.code,
  field: problem.field ?? null,
  message: problemText(english.problems, problem),
})

const importView = (one: Import): Static<typeof ImportAnswer> => ({
  importId: one.importId,
  state: one.state,
  isDryRun: one.isDryRun,
  fileName: one.fileName,
  lines: one.lineCount,
  done: one.doneCount,
  added: one.addedCount,
  unchanged: one.doneCount - one.addedCount - one.wrongCount,
  wrong: one.wrongCount,
  createdTime: one.createdTime.toISOString(),
  endedTime: one.endedTime?.toISOString() ?? null,
})
