import type { Movement, MovementKind } from './movement.ts'

/** One capture or refund: what counts of all reports about it. */
export interface Settled {
  readonly movement: Movement
  /** It was reported as done, before or after it failed. */
  readonly wasDone: boolean
  readonly failed?: Movement
}

/** All reports about one capture or refund. */
type Course = Movement[]

/**
 * Pure: the captures or the refunds of a payment. Of each the latest report counts: it may fail after it was
 * done, and be done after it failed. A failure without a movement refuses what was only accepted.
 */
export function settled(
  known: readonly Movement[],
  done: MovementKind,
  failing: MovementKind,
): readonly Settled[] {
  const reports = known.filter(({ kind }) => kind === done || kind === failing)
  const courses: Course[] = []
  for (const report of reports) {
    const course = courses.find((each) => each.some((other) => isSame(report, other)))
    if (course) course.push(report)
    else courses.push([report])
  }
  const joined = withRepeats(withFailures(courses, done), done)
  return joined.map((course) => standing(ordered(course, done), done))
}

const isSame = (one: Movement, other: Movement): boolean =>
  one.id === other.id || (one.operationKey !== undefined && one.operationKey === other.operationKey)

/** Some failures have an id of their own: they end the last movement of the amount before them. */
function withFailures(courses: readonly Course[], done: MovementKind): Course[] {
  const isOfAnother = (course: Course): boolean =>
    course.every(
      ({ kind, operationKey, isRefusal }) => kind !== done && operationKey === undefined && !isRefusal,
    )
  const found = courses.filter((course) => !isOfAnother(course))
  for (const failures of courses.filter(isOfAnother)) {
    const [failure] = failures
    const ended = failure && found.findLast((course) => wasDoneBefore(course, failure, done))
    if (ended) ended.push(...failures)
    else found.push(failures)
  }
  return found
}

function wasDoneBefore(course: Course, { amount, time }: Movement, done: MovementKind): boolean {
  const before = course.filter((report) => report.time <= time)
  const last = ordered(before, done).at(-1)
  return last?.kind === done && last.amount.minor === amount.minor
}

/** A repetition by the provider may have an id of its own: it is the movement that failed. */
function withRepeats(courses: readonly Course[], done: MovementKind): Course[] {
  const isRepeat = (course: Course): boolean => ordered(course, done)[0]?.isAgain === true
  const found = courses.filter((course) => !isRepeat(course))
  // What was refused was never done, so it is not repeated.
  const wasRefused = (course: Course): boolean => course.every(({ isRefusal }) => isRefusal === true)
  for (const repeat of courses.filter(isRepeat)) {
    const [first] = ordered(repeat, done)
    const before = found.filter((course) => {
      const [begun] = course
      if (!first || !begun || wasRefused(course)) return false
      return begun.time <= first.time && begun.amount.minor === first.amount.minor
    })
    const target = before.findLast((course) => ordered(course, done).at(-1)?.kind !== done) ?? before.at(-1)
    if (target) target.push(...repeat)
    else found.push(repeat)
  }
  return found
}

/** By time. In one second a movement is done, then fails, then is done again. */
const ordered = (course: Course, done: MovementKind): Course => {
  const rank = ({ kind, isAgain }: Movement): number => (isAgain ? 2 : kind === done ? 0 : 1)
  return course.toSorted((one, other) => one.time.getTime() - other.time.getTime() || rank(one) - rank(other))
}

function standing(course: Course, done: MovementKind): Settled {
  const isDone = ({ kind }: Movement): boolean => kind === done
  const [last, first] = [course.at(-1) as Movement, course.find(isDone)]
  return {
    movement: first ?? last,
    wasDone: first !== undefined,
    ...(isDone(last) ? {} : { failed: last }),
  }
}
