import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../net/http.ts'
import { hostVerdict } from './host-check.ts'

const EXPECTED = { installation: 'ab12', host: 'pay.shop.example' }
const answered = (body: unknown, status = 200): HttpReply => ({ kind: 'reply', status, headers: {}, body })
const lost = (cause: string): HttpReply => ({ kind: 'no-answer', why: 'connection-lost', cause })

describe('the host name of a checkout', () => {
  it.each<[HttpReply, string]>([
    [answered(EXPECTED), 'ok'],
    [answered({ ...EXPECTED, host: '127.0.0.1' }), 'host-header'],
    [answered({ ...EXPECTED, installation: 'cd34' }), 'elsewhere'],
    [answered(EXPECTED, 301), 'elsewhere'],
    [answered('<html>'), 'elsewhere'],
    [answered(undefined), 'elsewhere'],
    [answered(null), 'elsewhere'],
    [{ kind: 'not-sent', cause: 'ENOTFOUND' }, 'unknown-name'],
    [{ kind: 'not-sent', cause: 'FORBIDDEN_ADDRESS' }, 'private'],
    [{ kind: 'not-sent', cause: 'ECONNREFUSED' }, 'refused'],
    [{ kind: 'not-sent', cause: 'CERT_HAS_EXPIRED' }, 'certificate'],
    [{ kind: 'not-sent', cause: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate'],
    [{ kind: 'not-sent', cause: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'certificate'],
    [{ kind: 'not-sent', cause: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout'],
    [lost('ERR_SSL_WRONG_VERSION_NUMBER'), 'certificate'],
    [lost('ECONNRESET'), 'elsewhere'],
    [{ kind: 'no-answer', why: 'timeout', cause: 'timeout' }, 'timeout'],
    [{ kind: 'no-answer', why: 'unreadable-reply', cause: 'reply is not JSON' }, 'elsewhere'],
  ])('%j is %s', (reply, verdict) => {
    expect(hostVerdict(reply, EXPECTED)).toBe(verdict)
  })
})
