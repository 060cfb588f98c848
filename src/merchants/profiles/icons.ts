import type { Context } from '../../context.ts'

/** Two icons per provider: in colour, and in the text colour. */
export const providerIcons = ({ config }: Pick<Context, 'config'>, provider: string) => ({
  iconUri1: `${config.publicUrl}/assets/providers/${provider}.svg`,
  iconUri2: `${config.publicUrl}/assets/providers/${provider}-mono.svg`,
})

const FILE = /^([a-z0-9-]+?)(-mono)?\.svg$/

/** The icon for a file name; undefined when there is no such provider. */
export function iconSvg({ providers }: Pick<Context, 'providers'>, file: string): string | undefined {
  const [, id = '', mono] = FILE.exec(file) ?? []
  const manifest = providers.get(id)?.manifest
  return manifest && drawn(manifest.name, mono ? undefined : hueOf(id))
}

/** A generated card with the provider's initials, so that no trademark is copied. */
function drawn(name: string, hue: number | undefined): string {
  const initials = (name.match(/[A-Z]/g) ?? [name[0] ?? '?']).slice(0, 2).join('')
  const [back, ink] = hue === undefined ? ['none', 'currentColor'] : [`hsl(${hue} 55% 38%)`, '#fff']
  const edge = hue === undefined ? ink : back
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 32" role="img" aria-label="Provider">' +
    `<rect x="1" y="1" width="46" height="30" rx="5" fill="${back}" stroke="${edge}"/>` +
    `<text x="24" y="21" fill="${ink}" font-family="system-ui,sans-serif" font-size="14" font-weight="600"` +
    ` text-anchor="middle">${initials}</text></svg>`
  )
}

function hueOf(id: string): number {
  let hue = 0
  for (const character of id) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360
  return hue
}
