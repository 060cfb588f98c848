export const COLUMNS = 110

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Lines that begin with `start` and have at most 110 columns. */
export function wrapped(words: readonly string[], start: string): string[] {
  const lines: string[] = []
  let line = start.trimEnd()
  for (const word of words) {
    if (line.length + word.length + 1 > COLUMNS) {
      lines.push(line)
      line = start.trimEnd()
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

/** On one line if it fits, else a line for each part, indented by `step`. */
export function inLines(start: string, parts: readonly string[], end: string, step = '    '): string {
  const line = start + parts.join(', ') + end
  if (line.length <= COLUMNS) return line
  const indent = ' '.repeat(start.search(/\S/))
  return [start, ...parts.map((part) => `${indent}${step}${part},`), indent + end].join('\n')
}
