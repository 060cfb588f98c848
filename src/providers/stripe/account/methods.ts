import type { AccountMethods } from '../../check.ts'
import { type Json, listAt, textAt, valueAt } from '../../kit/json.ts'
import { withoutDecline } from '../../kit/reply.ts'
import type { AnyMethod } from '../../methods/method.ts'
import { call, type StripeContext } from '../exchange.ts'
import { listConfigurations, PAGE_TYPES } from '../reads.ts'

/** Pages use the configuration that is the default of the account. */
export async function accountMethods(ctx: StripeContext): Promise<AccountMethods> {
  const read = await call(ctx, listConfigurations)
  if (read.kind !== 'object') return withoutDecline(read)
  const listed = listAt(read.object, 'data')
  const standard = listed.find((one) => one.is_default === true) ?? {}
  const methods = (Object.keys(PAGE_TYPES) as AnyMethod[]).filter((method) =>
    isOn(standard, PAGE_TYPES[method] ?? ''),
  )
  return { kind: 'methods', methods }
}

const isOn = (configuration: Json, name: string): boolean =>
  valueAt(configuration, name, 'available') === true &&
  textAt(configuration, name, 'display_preference', 'value') === 'on'
