import { after, HOUR } from '../../../base/clock.ts'
import type { Manifest } from '../../../providers/port.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/**
 * Settings that a person typed and only tested. The page carries them sealed, so that secrets need not be
 * typed again, and nothing is stored. Decision 0170.
 */

type Settings = Readonly<Record<string, string>>

interface Entered {
  readonly appId: string
  readonly personId: string
  /** What the form is about: a provider or a profile. */
  readonly subject: string
  readonly expiresMs: number
  readonly settings: Settings
}

const VALID_MS = HOUR
const SETTING_LENGTH = 2_000

export const settingName = (name: string): string => `setting.${name}`

/** The value of the hidden field `entered`. */
export function sealEntered({ ctx, app, person }: AppRequest, subject: string, settings: Settings): string {
  const expiresMs = after(ctx.clock.now(), VALID_MS).getTime()
  const entered: Entered = {
    ...{ appId: app.appId, personId: person.personId },
    ...{ subject, expiresMs, settings },
  }
  return Buffer.from(ctx.vault.seal(JSON.stringify(entered))).toString('base64url')
}

/** Nothing if it is of another person, app or form, if it is too old, or if it was changed. */
function openEntered({ ctx, app, person, call }: AppRequest, subject: string): Settings {
  const sealed = call.form.get('entered') ?? ''
  if (sealed === '') return {}
  try {
    const entered: Entered = JSON.parse(ctx.vault.open(Buffer.from(sealed, 'base64url')))
    const isOwn = entered.appId === app.appId && entered.personId === person.personId
    const isValid = isOwn && entered.subject === subject && entered.expiresMs > ctx.clock.now().getTime()
    return isValid ? entered.settings : {}
  } catch {
    return {}
  }
}

/** The settings that were filled in now, or before the last test. */
export function readSettings(request: AppRequest, { settings }: Manifest, subject: string): Settings {
  const { call } = request
  const typed = settings.fields
    .map(({ name }) => [name, (call.form.get(settingName(name)) ?? '').trim()] as const)
    .filter(([, value]) => value !== '' && value.length <= SETTING_LENGTH)
  return { ...openEntered(request, subject), ...Object.fromEntries(typed) }
}
