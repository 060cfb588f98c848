import fc from 'fast-check'
import { expect, it } from 'vitest'
import { locationOf } from './location.ts'

it('keeps an ASCII address byte for byte', () => {
  for (const address of [
    '/p?note=saved',
    'https://shop.example/a%2f+b?x=%FF&&y#z',
    'HTTP://Shop.Example:80/../a',
  ])
    expect(locationOf(address)).toBe(address)
})

it('writes a host in punycode and everything else with percent escapes', () => {
  expect(locationOf('https://zürich.example:8443/zurück?x=ü&y=%2f#ß')).toBe(
    'https://xn--zrich-kva.example:8443/zur%C3%BCck?x=%C3%BC&y=%2f#%C3%9F',
  )
  expect(locationOf('https://shop.example/日本')).toBe('https://shop.example/%E6%97%A5%E6%9C%AC')
  expect(locationOf('/c/x\r\nset-cookie: a=b')).toBe('/c/x%0D%0Aset-cookie:%20a=b')
})

it('makes any text a valid header value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points)),
      (text) => /^[\x21-\x7e]*$/.test(locationOf(text)),
    ),
  )
  expect(locationOf('/\ud800')).toBe('/%EF%BF%BD')
})
