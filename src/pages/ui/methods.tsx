import type { ComponentChildren } from 'preact'
import type { MethodKind } from '../../providers/outcome.ts'
import { Icon, type IconName } from './icons.tsx'

const ICONS: Readonly<Record<MethodKind, IconName>> = {
  CreditCard: 'card',
  ElectronicCheck: 'bank',
  Paypal: 'wallet',
  Crypto: 'coin',
}

export const MethodIcon = ({ kind }: { readonly kind: MethodKind }) => <Icon name={ICONS[kind]} />

export interface MethodRowProps {
  readonly id: string
  /** Rows of one name are one choice. */
  readonly name: string
  readonly kind: MethodKind
  readonly title: string
  readonly detail?: ComponentChildren
  readonly badge?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  /** With a single method there is nothing to choose: its panel is open, the row only says what it is. */
  readonly alone?: boolean
  /** The method's own form: shown while the row is chosen. */
  readonly children?: ComponentChildren
}

/**
 * One way to pay: a radio and, beneath it, the method's own form. The radio belongs to no form, so what was
 * typed for one method is never sent with another.
 */
export function MethodRow(props: MethodRowProps) {
  const { id, name, kind, title, detail, badge, checked, disabled, alone, children } = props
  const text = (
    <>
      <MethodIcon kind={kind} />
      <span class="method-text">
        <span class="method-title">
          <bdi>{title}</bdi>
          {badge && <span class="badge">{badge}</span>}
        </span>
        {detail && <span class="method-detail">{detail}</span>}
      </span>
    </>
  )
  return (
    <div class={alone ? 'method alone' : 'method'}>
      {alone ? (
        <div class="method-row">{text}</div>
      ) : (
        <label class="method-row" for={id}>
          <input
            type="radio"
            id={id}
            name={name}
            value={id}
            checked={checked}
            disabled={disabled}
            autocomplete="off"
          />
          {text}
        </label>
      )}
      {children && <div class="method-panel">{children}</div>}
    </div>
  )
}
