import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../../scripts/build.js'

const folder = mkdtempSync(join(tmpdir(), 'tender-cli-'))
const program = join(folder, 'tender.js')
beforeAll(() => buildCli(program))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the program', () => {
  it('is one file of at most 100 kB that imports nothing but Node', () => {
    expect(statSync(program).size).toBeLessThan(100_000)
    const imports = [...readFileSync(program, 'utf8').matchAll(/^import .* from "(.+)";$/gm)].map(
      ([, name]) => name,
    )
    expect(imports.length).toBeGreaterThan(0)
    expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([])
  })

  it('runs from an empty folder and exits with the code of the command', () => {
    const tender = (...args: string[]) => {
      const env = { PATH: process.env.PATH ?? '' }
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    expect(tender('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('trigger'),
    })
    expect(tender('payments')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Set TENDER_APP_ID, or give --app. Try: tender --help\n',
    })
  })

  it('prints completions that bash accepts', () => {
    const script = `${spawnSync(program, ['completion'], { encoding: 'utf8' }).stdout}
      COMP_WORDS=(tender webhooks res); COMP_CWORD=2; _tender; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(tender tr); COMP_CWORD=1; _tender; echo "\${COMPREPLY[*]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['resend resend-failed\ntrigger\n', ''])
  })
})
