/** Total time of all calls, by our reference at the bank. */
export type BankTimes = readonly (readonly [reference: string, ms: number])[]

interface Call {
  readonly asked: string
  readonly answer: string
  readonly ms: number
}

/** Tokens are created before their payment, and later calls use the bank's id instead of our reference. */
export function createTimes() {
  const tokens = new Map<string, number>()
  const references = new Map<string, string>()
  let times = new Map<string, number>()
  return {
    add(path: string, { asked, answer, ms }: Call): void {
      const said = JSON.parse(answer) as { token?: string; id?: string }
      if (path === '/v1/tokens') tokens.set(said.token ?? '', ms)
      else if (path === '/v1/payments') {
        const { reference, instrument = '' } = JSON.parse(asked) as { reference: string; instrument?: string }
        references.set(said.id ?? '', reference)
        times.set(reference, ms + (tokens.get(instrument) ?? 0))
        tokens.delete(instrument)
      } else {
        const reference = references.get(path.split('/')[3] ?? '')
        if (reference) times.set(reference, (times.get(reference) ?? 0) + ms)
      }
    },
    /** The times since the last call. */
    take(): BankTimes {
      const taken = [...times]
      times = new Map()
      references.clear()
      return taken
    },
  }
}
