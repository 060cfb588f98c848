import { textAt } from '../kit/json.ts'

/** Pure: versions of the server. */

export type Version = readonly [major: number, minor: number, patch: number]

/** Older servers were never tried. */
export const LOWEST: Version = [2, 3, 0]

/** From here on a refund names all methods by which it can be claimed, before that one. */
export const SEVERAL_SINCE: Version = [2, 4, 1]

/** The version in the server's info, such as `2.4.1` or `2.4.0-rc1`. */
export function versionIn(body: unknown): Version | undefined {
  const match = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})/.exec(textAt(body, 'version') ?? '')
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

export function isAtLeast(version: Version, lowest: Version): boolean {
  const index = version.findIndex((part, place) => part !== lowest[place])
  return index < 0 || (version[index] ?? 0) > (lowest[index] ?? 0)
}

export const versionText = (version: Version): string => version.join('.')
