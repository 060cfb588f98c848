import type { ComponentChildren } from 'preact'
import { namedMethod } from '../../../providers/methods/catalogue.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import { Icon, type IconName } from './icons.tsx'

const ICONS: Readonly<Record<string, IconName>> = {
  CreditCard: 'card',
  ElectronicCheck: 'bank',
  Paypal: 'wallet',
  Crypto: 'coin',
}

/** Drawn by us: what the method is, without the trademark of any. */
export const MethodIcon = ({ kind }: { readonly kind: AnyMethod }) => (
  <Icon name={namedMethod(kind)?.icon ?? ICONS[kind] ?? 'card'} />
)

export interface MethodRowProps {
  readonly id: string
  /** Name of the radio group. */
  readonly name: string
  readonly kind: AnyMethod
  readonly title: string
  readonly detail?: ComponentChildren
  readonly badge?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  /** The only method: no radio button is shown and its form is open. */
  readonly alone?: boolean
  /** The form of the method, shown while the row is selected. */
  readonly children?: ComponentChildren
}

/**
 * A payment method: a radio button and the form of the method. The radio button is outside the form, so each
 * form sends only its own fields.
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
