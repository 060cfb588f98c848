/** The scale of a chart: round steps that cover every value. Pure. */

export interface Scale {
  /** From the lowest to the highest; zero is among them. */
  readonly steps: readonly number[]
  readonly bottom: number
  readonly top: number
}

/** Lines of the grid above zero: fewer leave gaps, more are hard to read. */
const MOST_STEPS = 4
const ROUND = [1, 2, 5, 10] as const

interface ScaleOptions {
  /** Counts have no steps below one. */
  readonly isWhole?: boolean
}

export function scaleOf(values: readonly number[], { isWhole = false }: ScaleOptions = {}): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = stepOf(Math.max(most, -least), isWhole)
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil(most / step), least < 0 ? 0 : 1)]
  const steps = Array.from({ length: last - first + 1 }, (_, place) => exact((first + place) * step))
  return { steps, bottom: steps[0] ?? 0, top: steps.at(-1) ?? 1 }
}

/** The smallest round step of which few cover the value. */
function stepOf(most: number, isWhole: boolean): number {
  if (most === 0) return 1
  const rough = most / MOST_STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  // The quotient of two powers may be a little more than a whole number.
  const factor = ROUND.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10
  return isWhole ? Math.max(1, exact(factor * power)) : exact(factor * power)
}

/** Without the rest of a binary fraction, such as 0.30000000000000004. */
const exact = (value: number): number => Number(value.toPrecision(12))

/** The places that get a label: evenly spaced, at most so many, the first always. */
export function labelledPlaces(count: number, most: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil(count / most))
  return new Set(Array.from({ length: Math.ceil(count / every) }, (_, place) => place * every))
}
