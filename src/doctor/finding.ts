/** The result of a check. The command line has the same type; the two programs are bundled separately. */
export interface Finding {
  readonly subject: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do about it. */
  readonly todo?: string
}

export const ok = (subject: string, message: string): Finding => ({ subject, status: 'ok', message })

export const warning = (subject: string, message: string, todo: string): Finding => ({
  subject,
  status: 'warning',
  message,
  todo,
})

export const problem = (subject: string, message: string, todo: string): Finding => ({
  subject,
  status: 'problem',
  message,
  todo,
})
