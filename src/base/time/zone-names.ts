import { isTimeZone } from './zone.ts'

/** Names that ICU still lists, and the ones that the time zone database has given since. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The present name of a zone, where this process knows it. */
export function zoneName(zone: string): string {
  const name = Object.hasOwn(RENAMED, zone) ? (RENAMED[zone] ?? zone) : zone
  return isTimeZone(name) ? name : zone
}

/** UTC is not in the list of every version of ICU. */
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(zoneName)])].sort()

/** Choices for a field. `current` is one too, where this process has another name for it. */
export const zoneChoices = (current = 'UTC') =>
  [...new Set([...TIME_ZONES, zoneName(current)])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }))
