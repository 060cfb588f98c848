import { describe, expect, it } from 'vitest'
import { remoteParent } from './traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const valid = `00-${TRACE}-${SPAN}-01`

describe('traceparent', () => {
  it('is the trace, the span and the mark of the sender', () => {
    const sent = { traceId: TRACE, spanId: SPAN, state: undefined }
    expect(remoteParent(valid, undefined)).toEqual({ ...sent, isSampled: true })
    expect(remoteParent(`00-${TRACE}-${SPAN}-00`, undefined)).toEqual({ ...sent, isSampled: false })
    expect(remoteParent(`00-${TRACE}-${SPAN}-03`, undefined)?.isSampled).toBe(true)
  })

  it('may be of a later version, with more fields', () => {
    expect(remoteParent(`01-${TRACE}-${SPAN}-01-more`, undefined)?.traceId).toBe(TRACE)
  })

  it.each([
    ['absent', undefined],
    ['repeated', [valid, valid]],
    ['empty', ''],
    ['of version 255', `ff-${TRACE}-${SPAN}-01`],
    ['longer than its version', `${valid}-more`],
    ['in capitals', valid.toUpperCase()],
    ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['with a line break', `${valid}\n`],
    ['very long', `01-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`],
  ])('is ignored when it is %s', (_what, header) => expect(remoteParent(header, 'vendor=1')).toBeUndefined())
})

describe('tracestate', () => {
  const stateOf = (state: string | string[]) => remoteParent(valid, state)?.state

  it('is passed on, several lines as one list', () => {
    expect(stateOf('vendor=abc, tenant@other=1')).toBe('vendor=abc,tenant@other=1')
    expect(stateOf(['a=1', 'b=2'])).toBe('a=1,b=2')
  })

  it.each([
    ['a member has no value', 'vendor'],
    ['a name has capitals', 'Vendor=1'],
    ['a value has a control character', 'vendor=a\tb'],
    ['a value has other letters', 'vendor=ä'],
    ['it is longer than 512 characters', `vendor=${'x'.repeat(256)},other=${'x'.repeat(256)}`],
    ['it holds a card number', 'vendor=4111111111111111'],
  ])('is dropped when %s', (_what, state) => expect(stateOf(state)).toBeUndefined())
})
