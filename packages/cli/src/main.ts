import type { Command } from './command.ts'
import { run } from './run.ts'

/** Runs the command line of this process. Decision 0131. */
export async function runProgram(own: readonly Command[] = []): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  const io = {
    env: process.env,
    out: (text: string) => process.stdout.write(`${text}\n`),
    err: (text: string) => process.stderr.write(`${text}\n`),
    signal: stop.signal,
  }
  process.exitCode = await run(process.argv.slice(2), io, own)
}
