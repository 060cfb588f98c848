import { failSpan, inSpan, requestSpan, setStatus, type Tracer } from '../base/tracing/tracer.ts'
import type { Route } from '../http/route.ts'
import type { Job } from '../jobs/loop.ts'
import type { Http } from '../net/http.ts'

/** The command behind a request, without reading and checking it. */
export const tracedRoute = (tracer: Tracer, route: Route): Route => ({
  ...route,
  handler: (caller, call) =>
    inSpan(tracer, { name: route.summary }, async () => await route.handler(caller, call)),
})

/** A run of a job begins a trace. Only runs that found due rows: others would be most of all traces. */
export const tracedJob = (tracer: Tracer, job: Job): Job =>
  job.due
    ? { ...job, runOnce: () => inSpan(tracer, { name: `job ${job.name}`, parent: null }, job.runOnce) }
    : job

/**
 * Requests to providers. They get no `traceparent`: they cannot show our spans, and ids that connect calls
 * are no concern of theirs.
 */
export const tracedHttp = <H extends Http>(tracer: Tracer, http: H): H => ({
  ...http,
  call(call) {
    return inSpan(tracer, requestSpan(call.method, call.url), async (span) => {
      const reply = await http.call(call)
      if (reply.kind === 'reply') setStatus(span, reply.status)
      else failSpan(span, reply.cause)
      return reply
    })
  },
})
