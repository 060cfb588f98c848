import type { ProviderFailure } from './reply.ts'

interface Words {
  readonly provider: string
  /** What is refused with 401: "the API key". */
  readonly key: string
  /** What is refused with 403: "The API key has no permission for this". */
  readonly denied: string
}

/** What is wrong with the settings, in a sentence for the merchant. */
export function problemOf(failed: ProviderFailure, { provider, key, denied }: Words): string {
  const { raw } = failed
  const words = raw?.message ? `: ${raw.message}` : '.'
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials')
    return raw?.status === 403 ? `${denied}${words}` : `${provider} does not accept ${key}${words}`
  if (failed.kind === 'not-done' && failed.why === 'not-sent') return `${provider} could not be reached.`
  if (failed.kind === 'not-done' && failed.why === 'rate-limited')
    return `${provider} was asked too often; try again.`
  return `${provider} answered with an error${words}`
}
