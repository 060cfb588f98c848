import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { boundForm } from '../../../http/content/scan.ts'
import { inspectText } from '../../../http/inspect.ts'

interface UploadedFile {
  /** As the browser says. */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface PostedForm {
  /** The fields of a posted form. */
  readonly form: ReadonlyMap<string, string>
  /** All values of a field that a form has several times, such as a group of checkboxes. */
  fieldsOf(name: string): readonly string[]
  /** Files that were chosen, by the name of their field. */
  readonly files: ReadonlyMap<string, UploadedFile>
}

type Fields = readonly (readonly [name: string, value: string])[]

const formOf = (fields: Fields, files: PostedForm['files'] = new Map()): PostedForm => ({
  form: new Map(fields),
  fieldsOf: (name) => fields.filter(([other]) => other === name).map(([, value]) => value),
  files,
})

export const NO_FORM: PostedForm = formOf([])

/**
 * Forms hold a few short fields and never a card number: card numbers go to providers. `contentType` is given
 * where a form may carry files.
 */
export async function readForm(body: Buffer, contentType: unknown): Promise<PostedForm> {
  const isMultipart = typeof contentType === 'string' && /^multipart\/form-data;/i.test(contentType)
  if (isMultipart) return readMultipart(body, contentType)
  boundForm(body)
  const fields = [...new URLSearchParams(body.toString('utf8'))]
  inspectFields(fields)
  return formOf(fields)
}

function inspectFields(fields: Fields): void {
  for (const [, value] of fields) inspectText('form', value)
}

async function readMultipart(body: Buffer, contentType: string): Promise<PostedForm> {
  boundMultipart(body, contentType)
  const parts = [...(await partsOf(body, contentType))]
  if (parts.length > LIMITS.formFields) throw malformed()
  const fields: [string, string][] = []
  const files = new Map<string, UploadedFile>()
  for (const [name, value] of parts) {
    if (typeof value === 'string') fields.push([name, value])
    // A field without a chosen file is sent as an empty one.
    else if (value.size > 0)
      files.set(name, { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  inspectFields(fields)
  return formOf(fields, files)
}

/** Counts the parts before they are parsed: a file of many megabytes may consist of nothing else. */
function boundMultipart(body: Buffer, contentType: string): void {
  const [, quoted, plain = quoted] = /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  if (plain === undefined) throw malformed()
  const line = `--${plain}`
  let parts = 0
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length))
    if (++parts > LIMITS.formFields + 1) throw malformed()
}

/** The parser of the platform. The size of the body is limited by the server. */
async function partsOf(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw malformed()
  }
}

const malformed = (): ApiError => new ApiError('malformed_request', 'The form cannot be read.')
