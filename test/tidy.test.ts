import { describe, expect, it } from 'vitest'
import { IMPORTS } from './tidy/imports.ts'
import { NAMES } from './tidy/names.ts'
import { projectOf, readProject } from './tidy/project.ts'
import type { Rule } from './tidy/rule.ts'
import { SHAPES } from './tidy/shapes.ts'
import { WORDS } from './tidy/words.ts'

const project = readProject('.')

function hold(rules: readonly Rule[]): void {
  for (const { says, breaches, broken } of rules)
    it(says, () => {
      expect(breaches(projectOf(broken)), 'the rule overlooks its own example').not.toEqual([])
      expect(breaches(project)).toEqual([])
    })
}

describe('the shape of the code', () => hold(SHAPES))
describe('who imports whom', () => hold(IMPORTS))
describe('the names of exported types', () => hold(NAMES))
describe('what the code says', () => hold(WORDS))
