import type { PersonRequest } from '../frame/request.ts'

type Seen = Pick<PersonRequest, 'language'>

/** With `decimals`, exactly so many digits after the comma. */
export const numberText = ({ language }: Seen, count: number, decimals?: number): string =>
  new Intl.NumberFormat(
    language.intl,
    decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  ).format(count)

/** A share from 0 to 1; a dash for none. */
export const percentText = ({ language }: Seen, share: number | null, digits = 1): string =>
  share === null
    ? '–'
    : new Intl.NumberFormat(language.intl, { style: 'percent', maximumFractionDigits: digits }).format(share)
