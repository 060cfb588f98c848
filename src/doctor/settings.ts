import { StartError } from '../base/start-error.ts'
import { type Config, loadConfig } from '../config.ts'
import { startWarnings } from '../welcome.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

type Environment = Parameters<typeof loadConfig>[0]

/** Keeps loadConfig from generating secrets: a check writes nothing. */
const UNUSED = 'stands for a secret that is not needed here'

/** Reads the settings as the service does. Without `config` they are invalid. */
export async function checkSettings(env: Environment): Promise<{ config?: Config; findings: Finding[] }> {
  try {
    const config = await loadConfig(withoutGenerating(env))
    return { config, findings: [...warningsOf(config)] }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const todo = 'Correct it in the environment of the service; docs/reference/config.md lists all settings.'
    return { findings: error.message.split('\n').map((line) => problem('settings', `${line}.`, todo)) }
  }
}

function withoutGenerating(env: Environment): Environment {
  if (env.NODE_ENV?.trim() === 'production') return env
  const secrets = ['SECRET_KEY', 'OPERATOR_TOKEN'].filter((name) => !env[name]?.trim())
  return { ...env, ...Object.fromEntries(secrets.map((name) => [name, UNUSED.replaceAll(' ', '-')])) }
}

function warningsOf(config: Config): Finding[] {
  const found = startWarnings(config).map(({ event, data }) =>
    warning('settings', data.message, `See docs/guides/operate.md. The service logs it as ${event}.`),
  )
  if (config.production && !config.publicUrl.startsWith('https://'))
    found.push(
      problem(
        'settings',
        `PUBLIC_URL is ${config.publicUrl}: customers pay without encryption.`,
        'Put a proxy with TLS in front of the service and set PUBLIC_URL to its https address.',
      ),
    )
  const kind = config.production ? 'production' : 'development'
  return found.length > 0 ? found : [ok('settings', `All settings are valid (${kind}).`)]
}
