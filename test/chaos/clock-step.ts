/**
 * Loaded into the service before its program. SIGUSR2 sets the wall clock back by an hour, the next SIGUSR2
 * corrects it. Timers are not affected, as when the clock of a machine is stepped.
 */
const HOUR_MS = 3_600_000
const RealDate = Date
let offsetMs = 0

const now = (): number => RealDate.now() + offsetMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('SIGUSR2', () => {
  offsetMs = offsetMs === 0 ? -HOUR_MS : 0
})
