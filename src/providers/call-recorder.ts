import type { Http } from '../net/http.ts'
import type { Manifest } from './port.ts'

/** What a call to a provider is for; shown with it in the log. */
export interface CallSubject {
  /** A step of an operation, or another name such as `read` or `keep`. */
  readonly step: string
  readonly paymentId?: number
  readonly attempt?: number
}

export interface RecordedCalls {
  readonly app: { readonly appId: string; readonly isSandbox: boolean }
  readonly profile: { readonly profileId: number }
  readonly subject: CallSubject
  /** Texts that no record may contain. */
  readonly secrets: readonly string[]
  readonly hides: Manifest['hides']
  /** The app's time. */
  readonly now: () => Date
}

/** A transport that records each call. */
export type CallRecorder = (http: Http, calls: RecordedCalls) => Http
