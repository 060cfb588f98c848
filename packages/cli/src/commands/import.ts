import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Import, ImportProblem } from '../../../sdk/src/tender.ts'
import { type Command, type CommandCall, RefusedError, table } from '../command.ts'

const POLL_MS = 1_000
/** A large file is read and checked before the answer. */
const TIMEOUT_MS = 120_000
/** Below what the service takes; a larger file is sent in parts. */
const PART_BYTES = 20 * 1024 * 1024
const PART_LINES = 400_000
/** Longer than any record that the service takes. */
const RECORD_BYTES = 1024 * 1024

export const IMPORT: Command = {
  name: 'import',
  description: 'Import customers, stored methods and past payments from a CSV file.',
  args: ['file'],
  options: {
    'dry-run': { description: 'Check every line and change nothing.' },
  },
  async run(call) {
    const { args, values } = call
    const [file = ''] = args
    const isDryRun = values['dry-run'] !== undefined
    const results: Import[] = []
    const problems: ImportProblem[] = []
    for await (const { bytes, firstLine } of partsOf(file)) {
      const done = await untilDone(call, await send(call, { bytes, file, isDryRun }))
      for (const problem of await problemsOf(call, done.importId))
        problems.push({ ...problem, line: problem.line + firstLine })
      results.push(done)
    }
    const sum = (name: 'lines' | 'added' | 'unchanged' | 'wrong') =>
      results.reduce((total, one) => total + one[name], 0)
    const data = {
      lines: sum('lines'),
      added: sum('added'),
      unchanged: sum('unchanged'),
      wrong: sum('wrong'),
    }
    const added = isDryRun ? 'would be added' : 'added'
    const known = `${data.unchanged} known already, ${data.wrong} wrong`
    const counts = `${data.lines} lines: ${data.added} ${added}, ${known}`
    return {
      data: { ...data, isDryRun, problems },
      lines: [...table(problems.map(({ line, message }) => [`line ${line}`, message])), counts],
      hasProblems: data.wrong > 0,
    }
  },
}

interface Part {
  readonly bytes: Uint8Array
  /** What is to be added to a line number of the part. */
  readonly firstLine: number
}

const [LINE_FEED, QUOTE] = [0x0a, 0x22]

/**
 * Whole records with the header before each part, byte for byte: the service judges the encoding, and texts
 * keep their line breaks. A line break inside of quotation marks ends no record.
 */
export async function* partsOf(
  file: string,
  partBytes = PART_BYTES,
  partLines = PART_LINES,
): AsyncGenerator<Part> {
  let header: Buffer | undefined
  let pieces: Buffer[] = []
  let [size, line, headerLines, firstLine, wholeLines, isQuoted] = [0, 0, 0, 0, 0, false]
  const take = (piece: Buffer) => {
    pieces.push(piece)
    size += piece.length
    if (size <= partBytes + RECORD_BYTES) return
    throw new RefusedError(`A record after line ${wholeLines} has no end. A quotation mark may be missing.`)
  }
  const taken = (): Buffer => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    size = 0
    firstLine = line
    return bytes
  }
  const nextPart = (): Part => {
    const before = firstLine - headerLines
    return { bytes: Buffer.concat([header ?? Buffer.alloc(0), taken()]), firstLine: before }
  }
  for await (const chunk of chunksOf(file)) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] === QUOTE) isQuoted = !isQuoted
      if (chunk[at] !== LINE_FEED) continue
      line++
      if (isQuoted) continue
      wholeLines = line
      if (header && size + at + 1 - from < partBytes && line - firstLine < partLines) continue
      take(chunk.subarray(from, at + 1))
      from = at + 1
      if (header) yield nextPart()
      else {
        header = taken()
        headerLines = line
      }
    }
    take(chunk.subarray(from))
  }
  // A file with a header alone is sent too: the service says what is missing.
  if (size > 0 || firstLine <= headerLines) yield nextPart()
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file)
  } catch (error) {
    throw new RefusedError(`The file ${file} cannot be read. ${error instanceof Error ? error.message : ''}`)
  }
}

/** The key of sealed tokens comes from the environment only: other users can read command lines. */
async function send(
  { tender, io }: CommandCall,
  { bytes, file, isDryRun }: { bytes: Uint8Array; file: string; isDryRun: boolean },
): Promise<Import> {
  const key = io.env.TENDER_SEALING_KEY
  return tender.imports.create(
    bytes,
    { fileName: basename(file), isDryRun },
    { timeoutMs: TIMEOUT_MS, signal: io.signal, ...(key && { headers: { 'sealing-key': key } }) },
  )
}

/** Tells the progress until the import has ended. The same file again goes on with it. */
async function untilDone({ tender, io }: CommandCall, made: Import): Promise<Import> {
  let current = made
  while (current.state === 'waiting' || current.state === 'running') {
    io.err(`${current.done} of ${current.lines} lines … (${current.importId})`)
    await pause(POLL_MS, undefined, { signal: io.signal }).catch(() => {
      throw new RefusedError('Stopped. The service goes on; the same command tells how far it is.')
    })
    current = await tender.imports.get(current.importId)
  }
  if (current.state === 'done') return current
  throw new RefusedError(`The import ${current.importId} is ${current.state}.`)
}

async function problemsOf({ tender }: CommandCall, importId: string): Promise<ImportProblem[]> {
  const all: ImportProblem[] = []
  for (;;) {
    const last = all.at(-1)?.line
    const page = await tender.imports.problems(importId, last === undefined ? {} : { after: String(last) })
    if (page.length === 0) return all
    all.push(...page)
  }
}
