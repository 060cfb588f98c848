import { ApiError, invalid, wrongField } from '../base/errors.ts'
import { inspectText } from './inspect.ts'

/** The query of a request target. A key given twice is refused; an empty value counts as absent. */
export function readQuery(target: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  const start = target.indexOf('?')
  if (start < 0) return query
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const key = decode(equals < 0 ? pair : pair.slice(0, equals))
    inspectText('query', key)
    if (key in query) throw repeated(key)
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    inspectText(key, value)
    query[key] = value
  }
  for (const key of Object.keys(query)) if (query[key] === '') delete query[key]
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ApiError('malformed_request', 'The query is not valid percent-encoded UTF-8.', {
      errors: [wrongField('query', 'is not valid percent-encoded UTF-8')],
    })
  }
}

/** An empty key is reported as `query`. */
const repeated = (key: string): ApiError =>
  invalid([wrongField(key === '' ? 'query' : key, 'is given more than once')])
