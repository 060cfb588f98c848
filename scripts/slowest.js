import { relative } from 'node:path'

const SHOWN = 10

/** A reporter of vitest: the slowest files of a run, each with its imports and hooks. */
export default function createReporter() {
  const times = []
  return {
    onTestModuleEnd(module) {
      const { collectDuration, duration } = module.diagnostic()
      times.push({ name: relative(process.cwd(), module.moduleId), ms: collectDuration + duration })
    },
    onTestRunEnd() {
      if (times.length < 2) return
      const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, SHOWN)
      console.log('\nThe slowest files, in seconds:')
      for (const { name, ms } of slowest) console.log(`${(ms / 1_000).toFixed(1).padStart(7)}  ${name}`)
    },
  }
}
