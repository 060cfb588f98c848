import type { Call } from '../route.ts'
import { found } from '../route.ts'
import { broken, refused } from '../wire/errors.ts'
import { closeDispute } from './after.ts'
import { newId, seconds } from './state.ts'
import { viewDispute } from './view.ts'
import type { Json } from './view-money.ts'

/** How a merchant answers a dispute, and the files for it. */

const AWAITED = ['needs_response', 'warning_needs_response']
const TOTAL_BYTES = 4_500_000
const TOTAL_TEXT = 150_000

export function uploadFile({ state, params }: Call): Json {
  const { purpose, file } = params as { purpose: string; file: { name: string; content: string } }
  if (purpose !== 'dispute_evidence') throw broken(`Invalid purpose: ${purpose}`)
  const id = newId('file')
  state.files.set(id, file.content.length)
  return {
    id,
    object: 'file',
    created: seconds(state),
    filename: file.name,
    purpose,
    size: file.content.length,
  }
}

export function updateDispute({ state, id, params }: Call): Json {
  const one = found(state.disputes, 'dispute', id)
  if (!AWAITED.includes(one.status)) throw refused(`This dispute (${id}) is already closed or under review.`)
  const evidence = (params.evidence ?? {}) as Record<string, string>
  const isFile = ([name, value]: [string, string]) =>
    /_documentation$|^receipt$|_communication$|_file$|^refund_policy$/.test(name) && value !== ''
  const files = Object.entries(evidence).filter(isFile)
  for (const [name, file] of files)
    if (!state.files.has(file)) throw refused(`No such file upload: '${file}'`, 'resource_missing', name)
  const bytes = files.reduce((sum, [, file]) => sum + (state.files.get(file) ?? 0), 0)
  if (bytes > TOTAL_BYTES) throw refused('The combined size of all evidence files is too large.')
  const texts = Object.entries(evidence).filter((entry) => !isFile(entry))
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) > TOTAL_TEXT)
    throw refused('The combined character count of all evidence is too large.')
  Object.assign(one.evidence, evidence)
  if (params.submit === true) {
    one.submissions++
    one.status = one.status.replace('needs_response', 'under_review')
  }
  return viewDispute(state, one)
}

export function giveUp({ state, id }: Call): Json {
  const one = found(state.disputes, 'dispute', id)
  if (!AWAITED.includes(one.status)) throw refused(`This dispute (${id}) is already closed.`)
  closeDispute(state, one, 'lost')
  return viewDispute(state, one)
}
