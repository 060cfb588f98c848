import type { ComponentChildren } from 'preact'
import { isPayerId } from '../../../base/ids.ts'
import { middleCut, shortText } from '../format/short-text.ts'
import { useOpenRequest, useRequest } from '../screen.tsx'
import { Icon } from './icons.tsx'

interface CopyProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly label: string
  readonly children?: ComponentChildren
}

/** An id or address with a button that copies it. Without script it is text to select. */
export const CopyText = ({ text, label, children }: CopyProps) => {
  const request = useOpenRequest()
  return (
    <span class="copy">
      <code>{children ?? text}</code>
      <button class="copy-button" type="button" data-copy={text} hidden>
        <span class="visually-hidden">{`${request.texts.frame.copy}: ${label}`}</span>
        <Icon name="copy" />
      </button>
    </span>
  )
}

interface CustomerProps {
  readonly customerId: string
  readonly children: ComponentChildren
}

/** Leads to the page of a customer, for those who may see it. */
export const CustomerLink = ({ customerId, children }: CustomerProps) => {
  const { base, can } = useRequest()
  if (!can('CustomerRead')) return <>{children}</>
  return <a href={`${base}/customers/${encodeURIComponent(customerId)}`}>{children}</a>
}

interface PersonNameProps {
  readonly customerId: string
  readonly name?: string | null
  readonly email?: string | null
}

/** Name and e-mail of a customer; the shop's id where neither is known, unless it is one of ours. */
export const PersonName = ({ customerId, name, email }: PersonNameProps) => {
  const { frame } = useRequest().texts
  const first = shortText(name || email || undefined, PERSON_SHOWN)
  if (!first && isPayerId(customerId))
    return (
      <span class="muted" title={customerId}>
        {frame.payerOfLink}
      </span>
    )
  if (!first) return <bdi title={customerId.slice(0, 200)}>{middleCut(customerId, ID_SHOWN)}</bdi>
  return (
    <span class="person" title={customerId.slice(0, 200)}>
      <bdi>{first}</bdi>
      {name && email && (
        <small class="muted">
          <bdi>{shortText(email, PERSON_SHOWN)}</bdi>
        </small>
      )}
    </span>
  )
}

const PERSON_SHOWN = 26
const ID_SHOWN = 18

/** JSON as text, formatted. */
export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section class="json" aria-label={label} tabIndex={0}>
    <pre>{JSON.stringify(value, null, 2)}</pre>
  </section>
)

export interface TabLink {
  readonly label: ComponentChildren
  readonly href: string
  readonly isCurrent: boolean
}

/** Tabs are links: each has its own address. */
export const Tabs = ({ tabs, label }: { readonly tabs: readonly TabLink[]; readonly label: string }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
        {tab.label}
      </a>
    ))}
  </nav>
)
