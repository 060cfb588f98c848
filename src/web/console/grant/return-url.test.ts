import { expect, it } from 'vitest'
import { readReturnUrl, withParameters } from './return-url.ts'

it('return addresses are http or https, without user', () => {
  expect(readReturnUrl('https://shop.example/back?x=1#y')?.host).toBe('shop.example')
  expect(readReturnUrl('http://shop.example:8080/')?.origins).toEqual([
    'http://shop.example:8080',
    'https://shop.example:8080',
  ])
  expect(readReturnUrl('https://käse.example/')?.host).toBe('xn--kse-qla.example')
  for (const errors of [
    '',
    '/console',
    '//shop.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://shop.example',
    'https://good.example@evil.example/',
    'https://a;sandbox/',
    'https://good.example\\@evil.example/',
    'https://shop.example/\r\nset-cookie: x=1',
    `https://shop.example/${'x'.repeat(2_000)}`,
  ])
    expect(readReturnUrl(errors)).toBeUndefined()
})

it('parameters are added before the fragment, and the rest stays as it is', () => {
  const more = { licenseId: 'lic_1', authorizationCode: 'lc_2' }
  const added = 'licenseId=lic_1&authorizationCode=lc_2'
  expect(withParameters('https://a.example/', more)).toBe(`https://a.example/?${added}`)
  expect(withParameters('https://a.example/?q=a%20b', more)).toBe(`https://a.example/?q=a%20b&${added}`)
  expect(withParameters('https://a.example/#top#x', more)).toBe(`https://a.example/?${added}#top#x`)
})
