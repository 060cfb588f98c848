import type { PanelGrant } from '../../customers/panel.ts'
import type { MethodKind } from '../../providers/outcome.ts'

/** Pure: the actions that a panel link allows. */
export type PanelAction =
  | { readonly kind: 'overview' | 'add-method' | 'manage' | 'details' }
  | { readonly kind: 'verify-method' | 'payment'; readonly id: number }

/** A task link allows that task only, a method scope only managing such methods, `All` everything. */
export function isAllowed(grant: PanelGrant, action: PanelAction): boolean {
  const { task, targetId, scope } = grant
  switch (task) {
    case 'add-method':
      return action.kind === 'add-method'
    case 'verify-method':
      return action.kind === 'verify-method' && action.id === targetId
    case 'pay':
      return action.kind === 'payment' && action.id === targetId
    case undefined:
      return scope === 'All' || !(action.kind === 'payment' || action.kind === 'details')
  }
}

/** Start page of a link; refused actions redirect to it. */
export function startUrlOf({ task, targetId }: PanelGrant): string {
  switch (task) {
    case 'add-method':
      return '/p/methods/new'
    case 'verify-method':
      return `/p/methods/${targetId}/verify`
    case 'pay':
      return `/p/payments/${targetId}`
    case undefined:
      return '/p'
  }
}

export const showsMethod = ({ scope }: PanelGrant, kind: MethodKind): boolean =>
  scope === 'All' || scope === kind

/** `0.32`, `0,32`, `.32` and `32` all mean 32 cents: verification amounts are below one unit. */
export function readSmallAmount(text: string): number | undefined {
  const [, tenths = '', whole = ''] = /^\s*(?:0?[.,](\d{1,2})|(\d{1,2}))\s*$/.exec(text) ?? []
  const digits = tenths === '' ? whole : tenths.padEnd(2, '0')
  return digits === '' ? undefined : Number(digits)
}
