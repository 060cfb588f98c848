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
  chart: 'M5 20V10m5 10V4m5 16v-7m5 7V8M3 20h18',
  book: 'M5 4h14v16H7a2 2 0 0 1-2-2Zm4 5h6m-6 4h6',
  review: 'M8 5H6v16h12V5h-2M9 3h6v4H9Zm0 10 2 2 4-4',
  link: 'm10 14 4-4m-6 2-2 2a3 3 0 0 0 4 4l2-2m0-8 2-2a3 3 0 0 1 4 4l-2 2',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8a7 7 0 0 1 14 0',
  plug: 'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0Zm6 9v4',
  fork: 'M3 12h7l6-6h4M10 12l6 6h4M17 3l3 3-3 3m0 6 3 3-3 3',
  shield: 'M12 3 5 6v6c0 4 3 7 7 9 4-2 7-5 7-9V6Z',
  code: 'm8 8-5 4 5 4m8-8 5 4-5 4m-2-12-4 16',
  down: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  people: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 8a6 6 0 0 1 12 0m1-8a3 3 0 0 0 0-6m2 14h3a5 5 0 0 0-4-5',
  page: 'M6 3h9l4 4v14H6Zm3 8h7m-7 4h7',
  sliders: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4v6M9 14v6',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
