import type { PersonRequest } from '../frame/request.ts'

type Seen = Pick<PersonRequest, 'language'>

export const numberText = ({ language }: Seen, count: number): string =>
  new Intl.NumberFormat(language.intl).format(count)

/** A share from 0 to 1; a dash for none. */
export const percentText = ({ language }: Seen, share: number | null, digits = 1): string =>
  share === null
    ? '–'
    : new Intl.NumberFormat(language.intl, { style: 'percent', maximumFractionDigits: digits }).format(share)
