import type { Project } from './project.ts'

export interface Rule {
  /** The rule and its reason; the name of the test. */
  readonly text: string
  /** Finds the violations, each with its place. */
  readonly violations: (project: Project) => readonly string[]
  /** Example files that violate the rule; the test checks that they are reported. */
  readonly example: Readonly<Record<string, string>>
}
