import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chromiumPath } from '../support/browser.ts'
import { stage } from '../support/pages.ts'
import { gallery, goTo } from './gallery.ts'

const FOLDER = 'screenshots/pages'
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const
const THEMES = ['light', 'dark'] as const
/** About a second for each of two hundred pages, with reserve for a busy machine. */
const TIMEOUT_MS = 600_000
const only = process.env.ONLY

const set = stage('screenshots')

it(
  'writes screenshots of every page: phone and desktop, light and dark',
  async () => {
    expect(chromiumPath, 'needs Chromium: apt-get install chromium').toBeDefined()
    if (!only) await rm(FOLDER, { recursive: true, force: true })
    await mkdir(FOLDER, { recursive: true })
    const exhibits = (await gallery(set)).filter(({ name }) => !only || new RegExp(only).test(name))
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of THEMES)
        for (const exhibit of exhibits) {
          const { name, before } = exhibit
          const window = await set.open('mouse', { viewport, colorScheme })
          await goTo(window.page, exhibit)
          await before?.(window.page)
          await window.page.screenshot({
            path: join(FOLDER, `${name}-${size}-${colorScheme}.png`),
            fullPage: name !== 'challenge',
          })
          await window.close()
        }
  },
  TIMEOUT_MS,
)
