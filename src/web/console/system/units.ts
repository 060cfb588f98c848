import type { PersonRequest } from '../../kit/frame/request.ts'

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

type Seen = Pick<PersonRequest, 'language'>
type Units = readonly (readonly [unit: string, size: number])[]

function inUnits({ language }: Seen, value: number, units: Units): string {
  const [unit, size] = units.find(([, least]) => Math.abs(value) >= least) ?? units.at(-1) ?? ['', 1]
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language.intl, style).format(value / size)
}

/** `3.2 sec` */
export const durationText = (request: Seen, ms: number): string => inUnits(request, ms, TIMES)

/** `12.5 MB` */
export const bytesText = (request: Seen, bytes: number): string => inUnits(request, bytes, SIZES)
