import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

/** The npm scripts that run a file of `scripts/`, with their fixed arguments. */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const SCRIPTS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, script = '', given] = /^(?:exec )?node (?:--\S+ )?(scripts\/\S+)(?: (\S+))?$/.exec(command) ?? []
  return script === '' ? [] : [{ name, args: given ? [script, given] : [script] }]
})

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

it('finds all scripts', () => {
  const names = ['start', 'build', 'test', 'docs', 'screenshots', 'budgets', 'bench', 'simulate', 'chaos']
  expect(SCRIPTS.map(({ name }) => name)).toEqual(expect.arrayContaining([...names, 'cluster-test']))
})

describe.each(SCRIPTS.map(({ name, args }) => [name, args] as const))('npm run %s', (_name, args) => {
  it('prints its help text with --help and does nothing else', () => {
    const { status, stdout, stderr } = run([...args, '--help'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: npm (?:run|start|test).*\n\n.+\n/)
    expect(stdout).toContain('--help')
  })

  it('reports an unknown option in one line', () => {
    const { status, stdout, stderr } = run([...args, '--nonsense'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/[Uu]nknown option '?--nonsense.* --help/)
  })
})

it('npm run docs -- statements ends quietly when its reader does', () => {
  const piped = `'${process.execPath}' scripts/docs.js statements | head -n 1`
  const { stdout, stderr } = spawnSync('sh', ['-c', piped], { encoding: 'utf8' })
  expect(stdout.split('\n')).toEqual([expect.stringMatching(/^--/), ''])
  expect(stderr).toBe('')
})

describe('npm run simulate', () => {
  it.each([
    [['--seeds', 'many'], /takes a whole number/],
    [['--seeds'], /argument missing/],
    [['word'], /[Uu]nexpected argument/],
  ])('reports %j in one line', (args, message) => {
    const { status, stderr } = run(['scripts/simulate.js', ...args])
    expect([status, stderr.split('\n').length]).toEqual([2, 1])
    expect(stderr).toMatch(message)
  })
})

it('npm run bench and chaos report an unknown name in one line', () => {
  for (const script of ['bench', 'chaos']) {
    const { status, stderr } = run([`scripts/${script}.js`, 'nonsense'])
    expect([status, stderr.split('\n').length]).toEqual([2, 1])
    expect(stderr).toContain('nonsense')
  }
})

it('npm run soak reports hours and rates that are none in one line', () => {
  for (const args of [
    ['--hours', 'many'],
    ['--hours', '0'],
    ['--rate', '0'],
    ['--rate', '2.5'],
  ]) {
    const { status, stderr } = run(['scripts/soak.js', ...args])
    expect([status, stderr.split('\n').length]).toEqual([2, 1])
    expect(stderr).toContain(`'${args[0]}'`)
  }
})

it('npm run restore-owner asks for one address in one line', () => {
  for (const args of [[], ['one@example.com', 'two@example.com']]) {
    const { status, stderr } = run(['scripts/restore-owner.js', ...args])
    expect([status, stderr]).toEqual([2, 'Give one e-mail address. Try: npm run restore-owner -- --help'])
  }
})
