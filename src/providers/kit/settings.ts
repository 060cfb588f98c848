import type { SettingsSchema } from '../port.ts'
import { isObject } from './json.ts'

/** Settings of a profile that are texts, each with its pattern. */

interface App {
  readonly isSandbox: boolean
}

export interface TextSetting {
  readonly label: string
  readonly secret: boolean
  readonly required: boolean
  readonly help?: string
  /** Matches and bounds the whole text: settings come from outside. With `several`: each part. */
  readonly pattern: RegExp
  /** The error message after the name of the field: "must be an API key". */
  readonly expected: string
  /** Several values with spaces or commas between them, at most this many. */
  readonly several?: number
  /** Spaces around the text do not count. */
  readonly trims?: true
  /** What else is wrong with a text that has the pattern. */
  problem?(text: string, app: App): string | undefined
}

/** Empty if they are absent. */
type Texts<Name extends string> = Readonly<Record<Name, string>>

export function textSettings<Name extends string, Config>(
  settings: Readonly<Record<Name, TextSetting>>,
  configOf: (texts: Texts<Name>, app: App) => Config,
): SettingsSchema<Config> {
  const names = Object.keys(settings) as Name[]
  return {
    parse(value, app) {
      const given = isObject(value) ? value : {}
      const problems = names.flatMap((field) => {
        const message = problemOf(settings[field], given[field] ?? '', app)
        return message === undefined ? [] : [{ field, message }]
      })
      if (problems.length > 0) return { ok: false, problems }
      const texts = names.map((name) => [name, textOf(settings[name], String(given[name] ?? ''))])
      return { ok: true, config: configOf(Object.fromEntries(texts) as Texts<Name>, app) }
    },
    fields: names.map((name) => {
      const { label, secret, required, help } = settings[name]
      return { name, label, secret, required, ...(help === undefined ? {} : { help }) }
    }),
  }
}

function problemOf(setting: TextSetting, value: unknown, app: App): string | undefined {
  const { pattern, expected, required, several } = setting
  if (typeof value !== 'string') return expected
  const text = textOf(setting, value)
  const parts = several === undefined ? [text].filter(Boolean) : partsOf(text)
  if (parts.length > (several ?? 1) || !parts.every((part) => pattern.test(part))) return expected
  if (parts.length === 0 && required) return expected
  return setting.problem?.(text, app)
}

const textOf = ({ trims }: TextSetting, text: string): string => (trims ? text.trim() : text)

/** The values of a setting that may have several. */
export const partsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)
