import { errorData, type Log } from '../../base/log.ts'
import type { HttpCall, HttpReply } from '../../net/http.ts'
import type { CallRecorder, RecordedCalls } from '../../providers/call-recorder.ts'
import type { Masking } from '../mask.ts'
import type { LogState } from '../state.ts'
import { exchangeOf } from './lines.ts'

/** The recorder adds every exchange to the log. It never delays or fails a call. */
export const createCallRecorder =
  ({ logs, log }: { readonly logs: LogState; readonly log: Log }): CallRecorder =>
  (http, calls) => ({
    async call(call) {
      const startTime = calls.now()
      const reply = await http.call(call)
      try {
        record(logs, calls, { call, reply, startTime })
      } catch (error) {
        log.error('provider_log.failed', errorData(error))
      }
      return reply
    },
  })

interface Exchange {
  readonly call: HttpCall
  readonly reply: HttpReply
  readonly startTime: Date
}

/** About the size of a line without bodies. */
const LINE_BYTES = 500

function record(logs: LogState, calls: RecordedCalls, { call, reply, startTime }: Exchange): void {
  const { appId } = calls.app
  const { share, queue } = logs.provider
  if (!share.admit(appId, reply.kind === 'reply' && reply.status < 400)) {
    logs.leftOut++
    return
  }
  const { paymentId = null, attempt = null, step } = calls.subject
  const exchange = exchangeOf(call, reply, maskingOf(calls))
  const bytes = (exchange.requestBody?.length ?? 0) + (exchange.responseBody?.length ?? 0)
  const shown = share.admitBytes(appId, bytes) ? {} : { requestBody: null, responseBody: null }
  const ms = Math.max(0, Math.round(calls.now().getTime() - startTime.getTime()))
  const line = {
    ...{ appId, startTime, profileId: calls.profile.profileId, paymentId, attempt, step, ms },
    ...exchange,
    ...shown,
  }
  if (!queue.add(line, LINE_BYTES + bytes)) logs.leftOut++
}

const maskingOf = ({ app, secrets, hides }: RecordedCalls): Masking => ({
  isPersonal: !app.isSandbox,
  secrets,
  names: new Set(hides?.names),
  texts: hides?.texts,
})
