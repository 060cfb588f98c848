/**
 * Loaded into the service before its program: SIGUSR2 sets its clock back by an hour, the next one right
 * again. Only what the wall clock says changes; timers go on, as they do when a machine's clock is stepped.
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
