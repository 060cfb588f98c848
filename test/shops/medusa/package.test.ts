import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { missingEntries, withoutChecksum } from '../../../scripts/lockfile.js'
import { VERSION } from '../../../src/version.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const manifest = JSON.parse(read('packages/medusa/package.json'))
const sources = readdirSync('packages/medusa/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(join('packages/medusa/src', name)))

describe('the package for Medusa', () => {
  it('has the version and the licence of the service, and needs only the SDK and its host', () => {
    expect(manifest.version).toBe(VERSION)
    expect(read('packages/medusa/LICENSE')).toBe(read('LICENSE'))
    expect(Object.keys(manifest.dependencies)).toEqual(['tender-sdk'])
    const hosts = Object.keys(manifest.peerDependencies)
    const imported = sources.flatMap((text) =>
      [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name = '']) => name),
    )
    const isKnown = (name: string) => ['tender-sdk', ...hosts].some((known) => name.startsWith(known))
    expect(imported.filter((name) => !isKnown(name))).toEqual([])
    expect(imported.length).toBeGreaterThan(8)
  })

  it('has at most 600 lines', () => {
    const lines = sources.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(600)
    expect(lines).toBeGreaterThan(300)
  })

  it('has a README with every option', () => {
    const [, body = ''] =
      /interface TenderProviderOptions \{(.*?)\n\}/s.exec(read('packages/medusa/src/options.ts')) ?? []
    const options = [...body.matchAll(/readonly (\w+)\??:/g)].map(([, name = '']) => name)
    expect(options.length).toBeGreaterThan(7)
    const readme = read('packages/medusa/README.md')
    expect(options.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})

it('the lockfile of the host names no registry and has the packages of every platform', () => {
  const lockfile = JSON.parse(read('test/shops/medusa/package-lock.json'))
  expect(
    Object.values(lockfile.packages).flatMap((entry) => Object.values(entry as object)),
  ).not.toContainEqual(expect.stringMatching(/^https?:.*\.tgz$/))
  expect(missingEntries(lockfile)).toEqual([])
  const installed = withoutChecksum(lockfile).filter(([, { optional }]) => !optional)
  expect(installed).toEqual([])
})
