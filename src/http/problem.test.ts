import { expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { toApiError } from './problem.ts'

const answer = (code: string) => {
  const { status, code: name } = toApiError(Object.assign(new Error('sql'), { code }), silentLog, 'r')
  return [status, name]
}

it('maps every data exception of PostgreSQL, and no other error, to an invalid request', () => {
  for (const code of ['22003', '22007', '22008', '22009', '22012', '22021', '22P02', '22P05', '54000'])
    expect(answer(code)).toEqual([400, 'malformed_request'])
  for (const code of ['42601', '23505', 'XX000', '2200', 'E22003'])
    expect(answer(code)).toEqual([500, 'internal_error'])
})
