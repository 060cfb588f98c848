import type { Failure, Tally } from './fuzz.ts'

/** The report of a failure, with a command that repeats it. */
export const failureText = ({ number, what, problem, status, answer, curl }: Failure, seed: number): string =>
  [
    `${what}: ${problem}`,
    `  request ${number} of seed ${seed}, answered ${status}: ${answer.slice(0, 300)}`,
    `  ${curl}`,
  ].join('\n')

export function tallyText({ sent, answers, failures }: Tally): string {
  const kinds = Object.keys(answers).sort()
  const counted = kinds.map((kind) => `${kind} ${answers[kind]}`).join(', ')
  return `${sent} requests, ${counted}, ${failures} failures`
}
