import type { Project } from './project.ts'

export interface Rule {
  /** The rule and its reason, as a sentence about the code. */
  readonly says: string
  /** Each place where it is broken. */
  readonly breaches: (project: Project) => readonly string[]
  /** Files that break it: a rule that overlooks them is no rule. */
  readonly broken: Readonly<Record<string, string>>
}
