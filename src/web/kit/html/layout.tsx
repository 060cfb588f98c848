import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.tsx'

/** Containers that group the content of a page. */

export interface CardProps {
  readonly title?: string
  readonly id?: string
  readonly children: ComponentChildren
  /** A button or link at the end of the title line. */
  readonly action?: ComponentChildren
  readonly class?: string
}

export function Card({ title, id, children, action, class: extra }: CardProps) {
  return (
    <section class={extra ? `card ${extra}` : 'card'} id={id}>
      {title && (
        <div class="card-head">
          <h2>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}

export type Row = readonly [label: string, value: ComponentChildren]

export interface KeyValueProps {
  /** Rows without a value are left out: `fee > 0n && […]`. */
  readonly rows: readonly (Row | undefined | false)[]
  readonly class?: string
}

export function KeyValue({ rows, class: extra }: KeyValueProps) {
  return (
    <dl class={extra ? `facts ${extra}` : 'facts'}>
      {rows.map(
        (row) =>
          row && (
            <div>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export interface NoticeProps {
  readonly kind: 'bad' | 'info' | 'ok'
  readonly title: string
  readonly children?: ComponentChildren
  readonly id?: string
  readonly hidden?: boolean
}

/** Errors are announced immediately. A notice stays until the page changes. */
export function Notice({ kind, title, children, id, hidden }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined} id={id} hidden={hidden}>
      <Icon name={kind === 'bad' ? 'alert' : kind === 'ok' ? 'check' : 'info'} />
      <div>
        <p class="notice-title">{title}</p>
        {children}
      </div>
    </div>
  )
}

export interface StatementProps {
  readonly icon: IconName
  readonly title: string
  readonly tone?: 'ok' | 'bad' | 'warn' | 'quiet' | 'violet'
  /** Heading level. */
  readonly level?: 1 | 2
  readonly children?: ComponentChildren
}

/** One message as main content: icon, heading, text and next step. */
export function Statement({ icon, title, tone = 'quiet', level = 1, children }: StatementProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div class={`statement ${tone}`}>
      <span class="statement-icon">
        <Icon name={icon} />
      </span>
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
