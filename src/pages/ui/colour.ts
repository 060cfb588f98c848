/** Colours as WCAG sees them, so that a merchant's brand colour can never make a page unreadable. */
type Rgb = readonly [red: number, green: number, blue: number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const TEXT_CONTRAST = 4.5
/** More than asked for: thin light letters on dark look fainter than they measure. */
const DARK_TEXT_CONTRAST = 6
const LIGHT_SURFACE: Rgb = [255, 255, 255]
const DARK_SURFACE: Rgb = [23, 27, 33]
const EDGE_CONTRAST = 3

export const DEFAULT_BRAND = '#3b5bdb'

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((one, other) => other - one) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

export const contrast = (a: string, b: string): number => contrastOf(rgbOf(a), rgbOf(b))

/** Moves a colour towards white or black until it stands out enough from what is behind it. */
function standingOut(colour: Rgb, behind: Rgb, wanted: number): Rgb {
  const towards = luminance(behind) > 0.5 ? BLACK : WHITE
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = colour.map((part, place) => part + ((towards[place] ?? 0) - part) * share)
    // Rounded before it is judged: what is judged is what is written.
    const rounded = mixed.map(Math.round) as unknown as Rgb
    if (contrastOf(rounded, behind) >= wanted) return rounded
  }
  return towards
}

export interface BrandColours {
  /** Fill of the main button, and the text on it. */
  readonly fill: string
  readonly onFill: string
  /** The brand as text and as an outline, on the light and on the dark surface. */
  readonly textLight: string
  readonly textDark: string
  /** The fill where its own edge would vanish in the dark. */
  readonly fillDark: string
  readonly onFillDark: string
}

const onFill = (fill: Rgb): string =>
  hexOf(
    contrastOf(WHITE, fill) >= TEXT_CONTRAST
      ? WHITE
      : contrastOf(BLACK, fill) >= contrastOf(WHITE, fill)
        ? BLACK
        : WHITE,
  )

export function brandColours(hex: string): BrandColours {
  const brand = rgbOf(isColour(hex) ? hex : DEFAULT_BRAND)
  const fill = standingOut(brand, LIGHT_SURFACE, EDGE_CONTRAST)
  const fillDark = standingOut(brand, DARK_SURFACE, EDGE_CONTRAST)
  return {
    fill: hexOf(fill),
    onFill: onFill(fill),
    fillDark: hexOf(fillDark),
    onFillDark: onFill(fillDark),
    textLight: hexOf(standingOut(brand, LIGHT_SURFACE, TEXT_CONTRAST + 0.2)),
    textDark: hexOf(standingOut(brand, DARK_SURFACE, DARK_TEXT_CONTRAST)),
  }
}
