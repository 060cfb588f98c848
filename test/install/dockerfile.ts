/** An instruction of a Dockerfile: `RUN`, and what follows. */
interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Stage {
  readonly image: string
  /** Undefined for the last one. */
  readonly as?: string
  readonly instructions: readonly Instruction[]
}

/** Instructions by stage; comments are left out, continued lines joined. */
export function stagesOf(text: string): Stage[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.+)$/.exec(line.trim()) ?? []
    const [, image = '', as] = name === 'FROM' ? (/^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? []) : []
    if (name === 'FROM') stages.push({ image, ...(as && { as }), instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text: rest })
  }
  return stages
}

/** The last instruction of a name, in the form of a JSON array. */
export function commandOf({ instructions }: Stage, name: string): string[] {
  const text = instructions.findLast((one) => one.name === name)?.text ?? '[]'
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** `COPY --from=build --chown=node:node a b to` */
export function copyOf(text: string) {
  const words = text.split(/\s+/)
  const flags = Object.fromEntries(
    words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=') as [string, string]),
  )
  const paths = words.filter((word) => !word.startsWith('--'))
  return { from: flags.from, owner: flags.chown, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}
