const TIMES = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const

const SIZES = [
  ['terabyte', 1e12],
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
  ['byte', 1],
] as const

type Units = readonly (readonly [unit: string, size: number])[]

function inUnits(intl: string, value: number, units: Units): string {
  const [unit, size] = units.find(([, least]) => Math.abs(value) >= least) ?? units.at(-1) ?? ['', 1]
  const format = new Intl.NumberFormat(intl, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  })
  return format.format(value / size)
}

/** `3.2 sec` */
export const durationText = (intl: string, ms: number): string => inUnits(intl, ms, TIMES)

/** `12.5 MB` */
export const bytesText = (intl: string, bytes: number): string => inUnits(intl, bytes, SIZES)

export const countText = (intl: string, count: number): string => new Intl.NumberFormat(intl).format(count)
