import { Readable } from 'node:stream'
import { type AuditEntry, auditEntries } from '../../../audit/audit.ts'
import { csvLine } from '../../../http/content/csv.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { filterOf, showAudit } from './list.tsx'
import { sentenceOf } from './words.ts'

const EXPORT_PAGE = 1_000
const MAX_EXPORTED = 100_000

export const auditScreens = (): ScreenRoute[] => [
  app('GET', '/audit', 'AuditRead', showAudit),
  app('GET', '/audit/export', proof('AuditRead'), exportCsv),
]

function exportCsv(request: AppRequest): PageAnswer {
  return {
    file: Readable.from(csvOf(request)),
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="audit.csv"' },
  }
}

async function* csvOf(request: AppRequest): AsyncGenerator<string> {
  const { ctx, app } = request
  yield csvLine([
    'time',
    'who',
    'kind',
    'what',
    'action',
    'target',
    'before',
    'after',
    'address',
    'request id',
  ])
  let before: number | undefined
  for (let count = 0; count < MAX_EXPORTED; count += EXPORT_PAGE) {
    const filter = { ...filterOf(request), appId: app.appId, before, limit: EXPORT_PAGE }
    const entries = await auditEntries(ctx, app.licenseId, filter)
    if (entries.length > 0) yield entries.map((entry) => lineOf(request, entry)).join('')
    if (entries.length < EXPORT_PAGE) return
    before = entries.at(-1)?.entryId
  }
}

function lineOf(request: AppRequest, entry: AuditEntry): string {
  const { time, actor, action, target, before, after } = entry
  return csvLine([
    time.toISOString(),
    actor.name,
    actor.kind,
    sentenceOf(request, entry),
    action,
    target,
    before ? JSON.stringify(before) : '',
    after ? JSON.stringify(after) : '',
    actor.address,
    actor.requestId,
  ])
}
