import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Import, ImportProblem } from '../../../sdk/src/tender.ts'
import { type Command, type CommandCall, RefusedError, table } from '../command.ts'

const POLL_MS = 1_000
/** A large file is read and checked before the answer. */
const TIMEOUT_MS = 120_000
/** Below what the service takes; a larger file is sent in parts. */
const PART_BYTES = 20 * 1024 * 1024

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
    for await (const { text, firstLine } of partsOf(file)) {
      const done = await untilDone(call, await send(call, { text, file, isDryRun }))
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
  readonly text: string
  /** What is to be added to a line number of the part. */
  readonly firstLine: number
}

/** Whole records with the header before each part. A line break inside of quotation marks ends none. */
async function* partsOf(file: string): AsyncGenerator<Part> {
  const handle = await open(file).catch(() => {
    throw new RefusedError(`The file ${file} cannot be read.`)
  })
  let [header, text, isQuoted] = ['', '', false]
  let [line, firstLine] = [0, 0]
  try {
    for await (const one of handle.readLines({ encoding: 'utf8' })) {
      line++
      text += `${one}\n`
      if ((one.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted
      if (isQuoted) continue
      if (header === '') [header, text, firstLine] = [text, '', line]
      else if (text.length >= PART_BYTES) {
        yield { text: header + text, firstLine: firstLine - linesIn(header) }
        text = ''
        firstLine = line
      }
    }
  } finally {
    await handle.close()
  }
  if (text !== '' || firstLine <= linesIn(header))
    yield { text: header + text, firstLine: firstLine - linesIn(header) }
}

const linesIn = (text: string): number => text.split('\n').length - 1

/** The key of sealed tokens comes from the environment only: other users can read command lines. */
async function send(
  { tender, io }: CommandCall,
  { text, file, isDryRun }: { text: string; file: string; isDryRun: boolean },
): Promise<Import> {
  const key = io.env.TENDER_SEALING_KEY
  return tender.imports.create(
    Buffer.from(text),
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
