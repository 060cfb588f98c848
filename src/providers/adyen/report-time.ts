/** Pure: times of Adyen's reports, which are in the time zone of the account. */

/** Abbreviations as Adyen writes them, in minutes east of UTC. BST is British Summer Time. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, WET: 0, BST: 60, WEST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180 },
  ...{ EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
  ...{ AKST: -540, AKDT: -480, HST: -600, BRT: -180, BRST: -120, ART: -180 },
  ...{ GST: 240, SGT: 480, HKT: 480, MYT: 480, AWST: 480, JST: 540, KST: 540, ACST: 570, ACDT: 630 },
  ...{ AEST: 600, AEDT: 660, NZST: 720, NZDT: 780 },
}

const TIME = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/

/** Undefined if the time or its zone is not known. */
export function timeIn(text: string, zone: string): Date | undefined {
  const parts = TIME.exec(text.trim())?.slice(1).map(Number)
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // 31 June is no day, and Date would make it 1 July.
  if (local.toISOString().slice(0, 19) !== text.trim().replace(' ', 'T')) return undefined
  const name = zone.trim()
  const minutes = Object.hasOwn(ZONES, name) ? ZONES[name] : offsetOf(name, local)
  return minutes === undefined ? undefined : new Date(local.getTime() - minutes * 60_000)
}

/** The offset of a zone by its name, such as `Europe/Amsterdam`, at a local time. */
function offsetOf(zone: string, local: Date): number | undefined {
  if (!/^[A-Za-z]{2,20}\/[A-Za-z_/-]{2,40}$/.test(zone)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
    const text = format.formatToParts(local).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  } catch {
    return undefined
  }
}
