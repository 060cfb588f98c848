/** The result of a check. The command line has the same type; the two programs are bundled separately. */
export interface Finding {
  readonly subject: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly says: string
  /** What to do about it. */
  readonly todo?: string
}

export const ok = (subject: string, says: string): Finding => ({ subject, status: 'ok', says })

export const warning = (subject: string, says: string, todo: string): Finding => ({
  subject,
  status: 'warning',
  says,
  todo,
})

export const problem = (subject: string, says: string, todo: string): Finding => ({
  subject,
  status: 'problem',
  says,
  todo,
})
