import type { Context } from '../../context.ts'
import type { Manifest } from '../../providers/port.ts'
import type { ProviderMark } from '../../providers/presentation.ts'

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
  return manifest && drawn(manifest.mark ?? initialsOf(manifest), mono !== undefined)
}

const initialsOf = ({ id, name }: Manifest): ProviderMark => ({
  letters: (name.match(/[A-Z]/g) ?? [name[0] ?? '?']).slice(0, 2).join(''),
  hue: hueOf(id),
  shape: 'card',
})

/** Each fills 48 by 32 and leaves the middle for two letters. */
const SHAPES: Readonly<Record<ProviderMark['shape'], string>> = {
  card: '<rect x="1" y="1" width="46" height="30" rx="5"',
  pill: '<rect x="1" y="3" width="46" height="26" rx="13"',
  square: '<rect x="8" y="1" width="32" height="30" rx="2"',
  circle: '<circle cx="24" cy="16" r="15"',
  diamond: '<path d="M24 1 46 16 24 31 2 16Z" stroke-linejoin="round"',
  hexagon: '<path d="M11 1h26l10 15-10 15H11L1 16Z" stroke-linejoin="round"',
  wave: '<path d="M1 4Q12 0 24 4T47 4V28Q36 32 24 28T1 28Z" stroke-linejoin="round"',
}

/** Letters on a shape, so that no trademark is copied. */
function drawn({ letters, hue, shape }: ProviderMark, isMono: boolean): string {
  const [back, ink] = isMono ? ['none', 'currentColor'] : [`hsl(${hue} 60% 34%)`, '#fff']
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 32" role="img" aria-label="Provider">' +
    `${SHAPES[shape]} fill="${back}" stroke="${isMono ? ink : back}"/>` +
    `<text x="24" y="21" fill="${ink}" font-family="system-ui,sans-serif" font-size="14" font-weight="600"` +
    ` text-anchor="middle">${letters}</text></svg>`
  )
}

function hueOf(id: string): number {
  let hue = 0
  for (const character of id) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360
  return hue
}
