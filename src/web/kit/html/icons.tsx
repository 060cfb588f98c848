/** SVG paths, 24 by 24, in the text colour. Icons are decorative: text beside them carries the meaning. */
const PATHS = {
  check: 'm5 13 4 4L19 7',
  alert: 'M12 7v6m0 4h.01M12 3 2.5 20h19Z',
  info: 'M12 11v6m0-10h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  clock: 'M12 7v5l3 2m-3 7a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  cross: 'm6 6 12 12M18 6 6 18',
  minus: 'M6 12h12',
  back: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  bank: 'M4 10h16L12 4Zm2 0v7m4-7v7m4-7v7m4-7v7M3 20h18',
  wallet: 'M4 7h15v12H4zM4 7l11-3v3m1 6h.01',
  coin: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM10 8h3a2 2 0 0 1 0 4h-3m0-4v8m0-4h4a2 2 0 0 1 0 4h-4',
  phone: 'M7 3h10v18H7zM11 18h2',
  transfer: 'M4 9h14m-4-4 4 4-4 4M20 15H6m4-4-4 4 4 4',
  voucher: 'M4 5v14M7 5v14M10 5v10M13 5v14M17 5v10M20 5v14',
  later: 'M4 6h16v14H4zM4 10h16M8 3v4m8-4v4m-6 8 2 2 4-4',
  lock: 'M6 11h12v9H6zm3 0V8a3 3 0 0 1 6 0v3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4Zm4 5h4',
  search: 'm20 20-4.5-4.5M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12Z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
