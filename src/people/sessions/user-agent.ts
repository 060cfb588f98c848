const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const READ_LENGTH = 512

/** What a session has that names no browser; pages have their own words for it. */
export const UNKNOWN_AGENT = 'Unknown'

/** `Firefox, Linux`: enough to recognise a session in a list, too little to identify a person. */
export function describeAgent(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, READ_LENGTH)
  const find = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(text))?.[1]
  return [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined).join(', ') || UNKNOWN_AGENT
}
