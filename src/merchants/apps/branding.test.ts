import { describe, expect, it } from 'vitest'
import { brandingChanges } from './branding.ts'

const image = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
const svg = `data:image/svg+xml;base64,${image}`

describe('the branding of an app', () => {
  it('accepts a logo as a data URL', () => {
    const { logo } = brandingChanges({ logo: svg })
    expect(logo).toMatchObject({ type: 'image/svg+xml', hash: expect.stringMatching(/^[0-9a-f]{16}$/) })
  })

  it.each([
    'https://elsewhere.example/logo.png',
    'data:text/html;base64,PHN2Zz4=',
    `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`,
    'data:image/svg+xml;base64,AAAA',
    `data:image/svg+xml;base64,${Buffer.from(`<svg>${'x'.repeat(70_000)}`).toString('base64')}`,
  ])('refuses %.60s', (logo) => {
    expect(() => brandingChanges({ logo })).toThrow()
  })

  it('accepts a web or e-mail address for support, and no script URL', () => {
    expect(brandingChanges({ support: 'help@example.com' }).support).toBe('help@example.com')
    expect(brandingChanges({ support: 'https://example.com/help' }).support).toBe('https://example.com/help')
    for (const support of ['javascript:alert(1)', 'help', 'a@b"><script>'])
      expect(() => brandingChanges({ support })).toThrow()
  })

  it('absent fields stay unchanged, empty or null ones are cleared', () => {
    const changes = brandingChanges({ color: '#AABBCC', slogan1: '', theme: { value: null } })
    expect(changes).toMatchObject({ color: '#aabbcc', slogan1: null, theme: null })
    expect(changes.slogan2).toBeUndefined()
    expect(changes.logo).toBeUndefined()
  })
})
