import type { ApiLine } from './lines.ts'

/** A line in a list. */
export interface ApiCall extends Omit<ApiLine, 'appId' | 'query' | 'requestBody' | 'answerBody'> {
  readonly lineId: number
}

/** A line with its query and bodies, all masked JSON. */
export interface ApiCallDetails extends ApiCall {
  readonly query: string | null
  readonly requestBody: string | null
  readonly answerBody: string | null
}

/** Where a page begins: after this line, from newest to oldest. */
export interface ApiCursor {
  readonly time: Date
  readonly lineId: number
}

export interface ApiFilter {
  readonly since: Date | undefined
  readonly until: Date | undefined
  /** 2 for 2xx, and so on. */
  readonly statusClass: number | undefined
  readonly method: string | undefined
  readonly pathPrefix: string | undefined
  readonly keyId: string | undefined
  readonly requestId: string | undefined
  readonly before: ApiCursor | undefined
  readonly limit: number
}

export interface ApiPage {
  readonly calls: readonly ApiCall[]
  /** Undefined at the end. A page may have fewer calls, even none, and still a next page. */
  readonly next: ApiCursor | undefined
}

export interface ApiBucket {
  readonly time: Date
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
  readonly leftOut: number
  readonly averageMs: number | null
}
