/** Pure: a form with files. */

interface FormPart {
  readonly name: string
  readonly content: string | Uint8Array
  /** Of a file; a field has none. */
  readonly fileName?: string
  readonly type?: string
}

/** A body with its content type. */
export interface MultipartForm {
  readonly headers: { readonly 'content-type': string }
  readonly bytes: Uint8Array
}

/**
 * The parts as one body. The boundary follows from the idempotency key, so that a repeated request is the
 * same byte for byte. Names and file names are our own and need no escapes.
 */
export function multipartForm(key: string, parts: readonly FormPart[]): MultipartForm {
  const boundary = `tender-${key.toLowerCase()}`
  const chunks = parts.flatMap(({ name, content, fileName, type }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head =
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n` +
      `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  }
}
