export interface Part {
  readonly name: string
  readonly fileName?: string
  readonly type?: string
  readonly content: string
}

/** The parts of a form with files. Undefined: the body is none. */
export function partsOf(contentType: string | undefined, body: string): readonly Part[] | undefined {
  const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(contentType ?? '')?.[1]
  if (boundary === undefined || !body.endsWith(`--${boundary}--\r\n`)) return undefined
  return body
    .split(`--${boundary}\r\n`)
    .slice(1)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const content = rest.join('\r\n\r\n').replace(new RegExp(`\r\n(?:--${boundary}--\r\n)?$`), '')
      const fileName = /filename="([^"]+)"/.exec(head)?.[1]
      const type = /content-type: (\S+)/.exec(head)?.[1]
      return {
        name: / name="([^"]+)"/.exec(head)?.[1] ?? '',
        ...(fileName === undefined ? {} : { fileName }),
        ...(type === undefined ? {} : { type }),
        content,
      }
    })
}
