/**
 * Why a try to deliver failed. Rows hold `code` or `code:value`; those of earlier versions hold an English
 * sentence, which begins with a capital letter and stays as it is.
 */
const WORDS = {
  answered: 'The endpoint answered {value}.',
  redirected: 'The endpoint answered {value}: redirects are not followed.',
  gone: 'The endpoint answered {value}: it wants no more.',
  late: 'No answer within {value} s.',
  refused: 'The connection was refused.',
  unresolved: 'The host name could not be resolved.',
  unreachable: 'The host cannot be reached.',
  'connected-late': 'The connection could not be made in time.',
  tls: 'The TLS handshake failed ({value}).',
  closed: 'The connection was closed before an answer came.',
  'not-http': 'The answer is not HTTP.',
  forbidden: 'Not sent: the address is not allowed ({value}).',
  failed: 'The request failed ({value}).',
} as const
export type DeliveryProblem = keyof typeof WORDS

/** Undefined: a sentence of an earlier version. */
export function readProblem(
  stored: string,
): { readonly code: DeliveryProblem; readonly value: string } | undefined {
  const [, code = '', value = ''] = /^([a-z-]+)(?::(.*))?$/s.exec(stored) ?? []
  return Object.hasOwn(WORDS, code) ? { code: code as DeliveryProblem, value } : undefined
}

/** In English, for the API, logs and e-mails. */
export function problemSentence(stored: string): string {
  const problem = readProblem(stored)
  return problem ? WORDS[problem.code].replace('{value}', () => problem.value) : stored
}
