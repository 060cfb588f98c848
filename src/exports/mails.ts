import { after } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { queueMail } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import { writeNotice } from '../notices/notices.ts'
import { listMembers } from '../people/members/members.ts'
import { permissionsIn } from '../people/signed-in.ts'
import type { Export } from './export.ts'
import { EXPORT_KINDS, type ExportKind } from './kinds.ts'
import { EXPORTS } from './limits.ts'
import { selectSchedule } from './store/schedules.ts'

/** Members of the licence who may read exports of this kind. */
export async function readersOf(ctx: Context, { licenseId }: App, kind: ExportKind) {
  const { permission } = EXPORT_KINDS[kind]
  const members = await listMembers(ctx, licenseId)
  return members
    .filter((member) => !member.person.isDisabled && permissionsIn(member).has(permission))
    .map(({ person }) => person)
}

/**
 * Tells the person who asked for the export, or the recipients of its schedule, as far as they may still read
 * it: in the console, and by e-mail. The link leads to a page that asks for the sign-in: it has no secret.
 */
export async function tellReady(ctx: Context, tx: Queryable, app: App, ended: Export): Promise<void> {
  if (ended.state === 'cancelled') return
  const { appId, exportId, kind, scheduleId, requestedBy } = ended
  const schedule = scheduleId === null ? undefined : await selectSchedule(tx, appId, scheduleId)
  const ids = scheduleId === null ? [requestedBy.id] : (schedule?.recipients ?? [])
  const readers = await readersOf(ctx, app, kind)
  const data = {
    what: kind,
    rows: ended.rowCount,
    isFailed: ended.state === 'failed',
    isScheduled: scheduleId !== null,
    until: after(ended.endedTime ?? ctx.clock.now(), EXPORTS.keptMs).toISOString(),
    url: ctx.config.publicUrl + CONSOLE_PAGES.exports(appId),
  }
  for (const { personId, email, language } of readers) {
    if (!ids.includes(personId)) continue
    const occasion = `export:${exportId}:${personId}`
    const { what, rows, isFailed } = data
    await writeNotice(
      ctx,
      tx,
      { appId, occasion, personId },
      { kind: 'export-ready', data: { what, rows, isFailed } },
    )
    await queueMail(
      ctx,
      tx,
      { appId, mailId: occasion, to: email, locale: language },
      { kind: 'export-ready', data },
    )
  }
}
