import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** A checkout without esbuild, as `npm install --omit=dev` leaves it. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tender-checkout-'))
  for (const path of ['scripts', 'package.json', 'src/main.ts'])
    cpSync(path, join(folder, path), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(['start.js', 'build.js', 'package.js', 'bench.js', 'reseal.js'])(
  'scripts/%s says what to do where development dependencies are not installed',
  (name) => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', name)], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/esbuild is not installed.*run `npm install` without --omit=dev/)
    expect(stderr).not.toContain('at ')
  },
)
