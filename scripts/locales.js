import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './locales/catalogues.js'
import { allProblems, TYPES_FILE, typesText } from './locales/report.js'
import { readOptions } from './options.js'

const { values } = readOptions({
  usage: 'npm run locales -- [--check]',
  does: 'Checks all texts in locales/, and writes the types of their keys and parameters.',
  options: { check: { type: 'boolean', description: 'Write nothing.' } },
})
const problems = allProblems()
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log('The texts are complete and valid.')
if (!values.check) {
  mkdirSync(dirname(join(root, TYPES_FILE)), { recursive: true })
  writeFileSync(join(root, TYPES_FILE), typesText())
}
