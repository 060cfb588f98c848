import Type from 'typebox'
import { BooleanText, countText, Instant, text } from '../http/wire.ts'
import { IMPORTS } from './limits.ts'

export const ImportQuery = Type.Object({
  isDryRun: Type.Optional(BooleanText),
  fileName: Type.Optional(text(IMPORTS.nameLength, { description: 'Shown in the list of imports.' })),
})

export const ImportParams = Type.Object({ importId: Type.String({ maxLength: 40 }) })

export const ProblemQuery = Type.Object({
  after: Type.Optional(countText('an integer from 1')),
})

export const ImportAnswer = Type.Object(
  {
    importId: Type.String(),
    state: Type.Enum(['waiting', 'running', 'done', 'cancelled']),
    isDryRun: Type.Boolean({ description: 'Everything was checked, and nothing is written.' }),
    fileName: Type.Union([Type.String(), Type.Null()]),
    lines: Type.Integer({ description: 'Lines of the file, without its header.' }),
    done: Type.Integer({ description: 'Lines that are done so far.' }),
    added: Type.Integer({ description: 'Lines that added something; in a dry run, that would.' }),
    unchanged: Type.Integer({ description: 'Lines that say what is known already.' }),
    wrong: Type.Integer({ description: 'Lines that were left out: `…/problems` names them.' }),
    createdTime: Instant,
    endedTime: Type.Union([Instant, Type.Null()]),
  },
  { title: 'Import' },
)

export const ProblemAnswer = Type.Object(
  {
    line: Type.Integer({ description: 'The number of the line in the file. The header is line 1.' }),
    code: Type.String(),
    field: Type.Union([Type.String(), Type.Null()]),
    message: Type.String({ description: 'A sentence about it.' }),
  },
  { title: 'ImportProblem' },
)

export const EXAMPLE = {
  importId: 'imp_4m1x8q0t7v2c9b3n6k5h',
  state: 'done',
  isDryRun: false,
  fileName: 'stripe-cards.csv',
  lines: 1_204,
  done: 1_204,
  added: 1_190,
  unchanged: 12,
  wrong: 2,
  createdTime: '2026-11-18T09:00:00.000Z',
  endedTime: '2026-11-18T09:00:09.412Z',
}

export const PROBLEM_EXAMPLE = {
  line: 17,
  code: 'not-known',
  field: null,
  message: 'The provider does not know this token, or it cannot be charged.',
}
