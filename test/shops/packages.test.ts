import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { missingEntries, withoutChecksum } from '../../scripts/lockfile.js'
import { VERSION } from '../../src/version.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

const PACKAGES = [
  { name: 'vendure', options: 'TenderPluginOptions' },
  { name: 'medusa', options: 'TenderProviderOptions' },
]

describe.each(PACKAGES)('the package for $name', ({ name, options }) => {
  const folder = join('packages', name)
  const manifest = JSON.parse(read(join(folder, 'package.json')))
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, 'src', file)))

  it('has the version and the licence of the service, and needs only the SDK and its host', () => {
    expect([manifest.version, manifest.license]).toEqual([VERSION, 'Apache-2.0'])
    expect(manifest.dependencies).toEqual({ 'tender-sdk': `^${VERSION}` })
    const hosts = Object.keys(manifest.peerDependencies)
    const imported = sources.flatMap((text) =>
      [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, from = '']) => from),
    )
    const isKnown = (from: string) => ['tender-sdk', ...hosts].some((known) => from.startsWith(known))
    expect(imported.filter((from) => !isKnown(from))).toEqual([])
    expect(imported.length).toBeGreaterThan(8)
  })

  it('has at most 600 lines', () => {
    const lines = sources.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(600)
    expect(lines).toBeGreaterThan(300)
  })

  it('has a README with every option', () => {
    const body = new RegExp(`interface ${options} \\{(.*?)\\n\\}`, 's').exec(
      read(join(folder, 'src/options.ts')),
    )?.[1]
    const names = [...(body ?? '').matchAll(/readonly (\w+)\??:/g)].map(([, option = '']) => option)
    expect(names.length).toBeGreaterThan(7)
    const readme = read(join(folder, 'README.md'))
    expect(names.filter((option) => !readme.includes(`\`${option}\``))).toEqual([])
  })

  it('the lockfile of its host names no registry and has the packages of every platform', () => {
    const lockfile = JSON.parse(read(join('test/shops', name, 'package-lock.json')))
    expect(
      Object.values(lockfile.packages).flatMap((entry) => Object.values(entry as object)),
    ).not.toContainEqual(expect.stringMatching(/^https?:.*\.tgz$/))
    expect(missingEntries(lockfile)).toEqual([])
    const installed = withoutChecksum(lockfile).filter(([, { optional }]) => !optional)
    expect(installed).toEqual([])
  })
})

it('the package for vendure tells payments of an order from those of one whose code goes on', async () => {
  // Its types are those of Vendure, which is not installed here.
  const { orderCodeIn, referenceOf } = await import(
    join(process.cwd(), 'packages/vendure/src', 'reference.ts')
  )
  for (const code of ['T4X', 'T4X-1', 'T4X-1-500EUR'])
    for (const attempt of [1, 2]) {
      const reference = referenceOf({ code, totalWithTax: 500, currencyCode: 'EUR' }, attempt)
      expect([reference, orderCodeIn(reference)]).toEqual([reference, code])
    }
})
