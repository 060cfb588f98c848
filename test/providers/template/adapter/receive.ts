import type { InboundCall, Received } from '../../../../src/providers/port.ts'
import type { AcornPaySettings } from './manifest.ts'
import { unfinished } from './unfinished.ts'

/**
 * Pure: verifies the signature over the exact bytes, in constant time, before anything is parsed. Returns the
 * references that the notification is about. An old notification is valid.
 */
export const received = (_config: AcornPaySettings, _call: InboundCall): Received =>
  unfinished('receive.ts: received')
