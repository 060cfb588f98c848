import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { complete, missingEntries, withChecksums, withoutChecksum } from '../scripts/lockfile.js'

interface Entry {
  readonly version: string
  readonly integrity?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly link?: true
  readonly dev?: true
  readonly optional?: true
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const lockfile: { packages: Record<string, Entry> } = read('package-lock.json')
const entries = Object.entries(lockfile.packages).filter(([path]) => path !== '')
const SUPPORTED = ['linux-x64', 'linux-arm64']

/** Packages of one platform each. */
const ofPlatforms = entries.flatMap(([path, { os, cpu, libc, ...entry }]) =>
  os?.length === 1 && cpu?.length === 1 ? [{ path, platform: `${os}-${cpu}`, libc, ...entry }] : [],
)

describe('package-lock.json, so that npm ci works', () => {
  it('has the packages of every platform; npm run lockfile adds what is missing', () => {
    expect(missingEntries(lockfile).map(({ name }) => name)).toEqual([])
  })

  it('is that of package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json')
    expect(lockfile.packages['']).toMatchObject({ dependencies, devDependencies, optionalDependencies })
  })

  it('has checksums of all that runs in production, and of all that Linux needs', () => {
    const elsewhere = ofPlatforms.filter(({ platform }) => !SUPPORTED.includes(platform))
    const development = new Set(
      elsewhere.flatMap(({ path, dev, optional }) => (dev && optional ? [path] : [])),
    )
    const without = withoutChecksum(lockfile).map(([path]) => path)
    expect(without.filter((path) => !development.has(path))).toEqual([])
    const counts = SUPPORTED.map((name) => ofPlatforms.filter(({ platform }) => platform === name).length)
    expect(Math.min(...counts)).toBeGreaterThan(5)
  })
})

describe('npm run lockfile', () => {
  const broken = {
    packages: {
      '': { optionalDependencies: { present: '1.0.0' } },
      'node_modules/present': { version: '1.0.0' },
      'node_modules/tool': {
        version: '2.0.0',
        dev: true,
        optionalDependencies: { '@tool/linux-arm64-musl': '2.0.0', '@tool/win32-x64': '2.0.0', own: '3.0.0' },
      },
      'node_modules/tool/node_modules/own': { version: '3.0.0' },
    },
  }

  it('adds the packages of other platforms by their names', () => {
    const { packages } = complete(broken)
    expect(Object.keys(packages)).toEqual([
      '',
      'node_modules/@tool/linux-arm64-musl',
      'node_modules/@tool/win32-x64',
      'node_modules/present',
      'node_modules/tool',
      'node_modules/tool/node_modules/own',
    ])
    const common = { version: '2.0.0', dev: true, optional: true }
    expect(packages['node_modules/@tool/linux-arm64-musl']).toEqual({
      ...common,
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
    })
    expect(packages['node_modules/@tool/win32-x64']).toEqual({ ...common, os: ['win32'], cpu: ['x64'] })
    expect(missingEntries({ packages })).toEqual([])
  })

  it('adds the checksums that the registry knows, and keeps those that are there', async () => {
    const checksum = `sha512-${'a'.repeat(86)}==`
    const known = { version: '1.0.0', integrity: 'sha512-of-present' }
    const before = {
      packages: {
        '': {},
        'node_modules/present': known,
        'node_modules/a/node_modules/@tool/b': { version: '2.0.0', dev: true },
        'node_modules/c': { version: '3.0.0' },
      },
    }
    const asked: string[] = []
    const { packages } = await withChecksums(before, async (name: string, version: string) => {
      asked.push(`${name}@${version}`)
      return name === '@tool/b' ? checksum : undefined
    })
    expect(asked).toEqual(['@tool/b@2.0.0', 'c@3.0.0'])
    expect(packages).toEqual({
      ...before.packages,
      'node_modules/a/node_modules/@tool/b': { version: '2.0.0', integrity: checksum, dev: true },
    })
    expect(withoutChecksum({ packages }).map(([path]) => path)).toEqual(['node_modules/c'])
  })
})
