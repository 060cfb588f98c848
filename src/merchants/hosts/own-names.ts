import type { Config } from '../../config.ts'

/** The installation's own names: no checkout takes them, and they always serve everything. */
export const ownNames = ({ publicUrl, ownHosts = [] }: Config): ReadonlySet<string> =>
  new Set([new URL(publicUrl).hostname, ...ownHosts])
