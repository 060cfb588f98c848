/** WCAG contrast rules, so that no brand colour makes a page unreadable. */
type Rgb = readonly [red: number, green: number, blue: number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const TEXT_CONTRAST = 4.5
/** Above the WCAG minimum: thin light text on dark looks fainter than it measures. */
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

/** Mixes a colour with white or black until it has the wanted contrast to the background. */
function withContrast(colour: Rgb, background: Rgb, wanted: number): Rgb {
  const towards = luminance(background) > 0.5 ? BLACK : WHITE
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = colour.map((part, place) => part + ((towards[place] ?? 0) - part) * share)
    // Measure the rounded colour: that is the one written.
    const rounded = mixed.map(Math.round) as unknown as Rgb
    if (contrastOf(rounded, background) >= wanted) return rounded
  }
  return towards
}

export interface BrandColours {
  /** Fill of the main button, and the text on it. */
  readonly fill: string
  readonly onFill: string
  /** The brand colour for text and outlines, on the light and the dark surface. */
  readonly textLight: string
  readonly textDark: string
  /** The fill for the dark theme, where the original may have too little contrast. */
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
  const fill = withContrast(brand, LIGHT_SURFACE, EDGE_CONTRAST)
  const fillDark = withContrast(brand, DARK_SURFACE, EDGE_CONTRAST)
  return {
    fill: hexOf(fill),
    onFill: onFill(fill),
    fillDark: hexOf(fillDark),
    onFillDark: onFill(fillDark),
    textLight: hexOf(withContrast(brand, LIGHT_SURFACE, TEXT_CONTRAST + 0.2)),
    textDark: hexOf(withContrast(brand, DARK_SURFACE, DARK_TEXT_CONTRAST)),
  }
}
