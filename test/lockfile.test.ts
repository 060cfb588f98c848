import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { complete, missingEntries } from '../scripts/lockfile.js'

interface Entry {
  readonly version: string
  readonly integrity?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly link?: true
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

  it('has checksums of everything that Linux needs, on both processors', () => {
    const elsewhere = ofPlatforms.filter(
      ({ platform, libc }) => !SUPPORTED.includes(platform) || libc?.includes('musl'),
    )
    const paths = new Set(elsewhere.map(({ path }) => path))
    const without = entries.filter(([path, { integrity }]) => !paths.has(path) && !integrity)
    expect(without.map(([path]) => path)).toEqual([])
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
})
