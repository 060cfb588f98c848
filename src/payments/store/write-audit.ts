import type { Actor } from '../../base/actor.ts'
import type { Payment } from '../payment.ts'
import type { ExtraSql } from './write-fraud.ts'

/** The entry of the audit log that a person's action writes together with the change. */
export interface ActionAudit {
  readonly actor: Actor
  readonly licenseId: string
  /** Such as `payment.refunded`. */
  readonly action: string
  readonly before?: object
  readonly after: object
}

/** The audit entry of a payment that a person creates. */
export function creationAudit(
  actor: Actor | undefined,
  licenseId: string,
  { details, flow, amountMinor, currency }: Payment,
): ActionAudit | undefined {
  if (actor?.kind !== 'person') return undefined
  const action = details.isLink ? 'link.created' : 'payment.created'
  return { actor, licenseId, action, after: { flow, amountMinor: String(amountMinor), currency } }
}

const AUDITED = `, audited as (
    insert into audit_log (license_id, app_id, entry_time, actor_kind, actor_id, actor_name, action, target,
      before, after, address, request_id)
    select a.license_id, i.app_id, i.now, a.actor_kind, a.actor_id, a.actor_name, a.action,
      'payment:' || i.payment_id, a.before, a.after, a.address, a.request_id
    from input i join written w on w.n = i.n,
      json_to_record(i.audit) as a (license_id text, actor_kind text, actor_id text, actor_name text,
        action text, before json, after json, address text, request_id text)
    where i.audit is not null
  )`

export const withAudit = (extra: ExtraSql): ExtraSql => ({
  ...extra,
  typed: `${extra.typed}, audit json`,
  create: `${extra.create}${AUDITED}`,
  change: `${extra.change}${AUDITED}`,
})

export function auditJson({ audit }: { readonly audit?: ActionAudit | undefined }) {
  if (!audit) return undefined
  const { actor, licenseId, action, before, after } = audit
  return {
    audit: {
      license_id: licenseId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      before,
      after,
      address: actor.address,
      request_id: actor.requestId,
    },
  }
}
