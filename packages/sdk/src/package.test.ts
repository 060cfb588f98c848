import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tender-sdk-'))
beforeAll(() => {
  execFileSync('node_modules/.bin/tsc', ['-p', 'packages/sdk', '--outDir', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const built = () => readdirSync(folder, { recursive: true }).map(String)
const scripts = () => built().filter((name) => name.endsWith('.js'))
const description = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8'))

describe('the package', () => {
  it('runs in every runtime: web standards only, no Node modules or globals', () => {
    expect(scripts()).toContain('tender.js')
    for (const name of scripts()) {
      const text = readFileSync(join(folder, name), 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
      expect(text, name).not.toMatch(/\brequire\b|\bprocess\.|\bBuffer\b|\bnode:|__dirname/)
      for (const [, target] of text.matchAll(/\bfrom '([^']+)'/g)) expect(target).toMatch(/^\.\.?\/.+\.js$/)
    }
  })

  it('has no dependencies, and every file that it exports', () => {
    expect(Object.keys(description)).not.toContain('dependencies')
    const targets = Object.values(description.exports as Record<string, Record<string, string>>)
    for (const path of targets.flatMap((target) => Object.values(target)))
      expect(existsSync(join(folder, path.replace('./dist/', ''))), path).toBe(true)
  })

  it('is at most 50 kB of script and 36 kB packed', () => {
    const size = scripts().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    expect(size).toBeLessThan(50_000)
    const files = built().filter((name) => /\.(js|d\.ts)$/.test(name))
    const all = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
    expect(gzipSync(all).length).toBeLessThan(36_000)
  })

  it('works when it is imported as built', async () => {
    const { createTender, verifyWebhook } = await import(pathToFileURL(join(folder, 'tender.js')).href)
    expect(typeof verifyWebhook).toBe('function')
    const fetch = async (url: string) => new Response(JSON.stringify({ url }))
    const tender = createTender({ url: 'https://pay.example', appId: 'app_1', apiKey: 'sk_1', fetch })
    expect(await tender.payments.get(7)).toEqual({ url: 'https://pay.example/api/apps/app_1/payments/7' })
  })

  it('has examples that compile', () => {
    const texts = ['packages/sdk/README.md', 'docs/guides/sdk.md'].map((path) => readFileSync(path, 'utf8'))
    const blocks = texts.flatMap((text) =>
      [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code),
    )
    expect(blocks.length).toBeGreaterThan(6)
    const functions = blocks.map((code) => `void (async () => {\n${code.replace(/^import .*$/gm, '')}\n})`)
    writeFileSync(join(folder, 'examples.ts'), EXAMPLES_START + functions.join('\n'))
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', module: 'nodenext', types: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['examples.ts'] }))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { stdout } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})

const EXAMPLES_START = `import { createTender, TenderError } from './tender.js'
import type { PaymentsCreateHostedPageInput } from './tender.js'
declare const tender: ReturnType<typeof createTender>
declare const order: PaymentsCreateHostedPageInput
`
