/**
 * One text of the metrics of several processes. The lines of a metric must follow each other, after one HELP
 * and one TYPE. The series differ by their label `worker`.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, string[]>()
  for (const text of texts)
    for (const family of text.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...series] = family.trim().split('\n')
      if (!help) continue
      const lines = families.get(help) ?? [help, type]
      families.set(help, [...lines, ...series])
    }
  return [...families.values()].map((lines) => `${lines.join('\n')}\n`).join('\n')
}
