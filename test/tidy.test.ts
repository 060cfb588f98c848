import { describe, expect, it } from 'vitest'
import { CONTENT } from './tidy/content.ts'
import { IMPORTS } from './tidy/imports.ts'
import { NAMES } from './tidy/names.ts'
import { projectOf, readProject } from './tidy/project.ts'
import type { Rule } from './tidy/rule.ts'
import { SIZES } from './tidy/sizes.ts'

const project = readProject('.')

function check(rules: readonly Rule[]): void {
  for (const { text, violations, example } of rules)
    it(text, () => {
      expect(violations(projectOf(example)), 'the rule does not report its own example').not.toEqual([])
      expect(violations(project)).toEqual([])
    })
}

describe('code size', () => check(SIZES))
describe('imports', () => check(IMPORTS))
describe('names of exported types', () => check(NAMES))
describe('code content', () => check(CONTENT))
