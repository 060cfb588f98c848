import { expect, it } from 'vitest'
import { base32, codeOf, matchingStep, otpauthUri, stepOf } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA-1.
it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(codeOf(SECRET, stepOf(new Date(seconds * 1_000)), 8)).toBe(code)
})

it('accepts the codes of the step before and after, and no others', () => {
  const now = new Date('2026-01-01T00:00:15Z')
  const step = stepOf(now)
  const found = [-2, -1, 0, 1, 2].map((drift) => matchingStep(SECRET, codeOf(SECRET, step + drift), now))
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  expect(
    matchingStep(SECRET, ` ${codeOf(SECRET, step).slice(0, 3)} ${codeOf(SECRET, step).slice(3)}`, now),
  ).toBe(step)
  for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(matchingStep(SECRET, wrong, now)).toBeUndefined()
})

it.each([
  ['', ''],
  ['f', 'MY'],
  ['foobar', 'MZXW6YTBOI'],
  ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
])('%j in base32 is %j', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded))

it('writes the address for authenticator apps', () => {
  expect(otpauthUri('Tender', 'olga+a@example.com', SECRET)).toBe(
    'otpauth://totp/Tender%3Aolga%2Ba%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tender',
  )
})
