/**
 * Loaded into the service before its program. SIGUSR2 collects the garbage and prints the memory in use: that
 * of the process also holds pages that the runtime keeps for later.
 */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`memory in use: ${heapUsed + external}\n`)
})
