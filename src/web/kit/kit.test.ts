import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode, invalid, notFound } from '../../base/errors.ts'
import { expected, mistaken } from '../../base/mistakes.ts'
import { choice, codes, Fields, form, lines, number, secret, text, tick } from './form.tsx'
import type { AppRequest, OpenRequest } from './frame/request.ts'
import { Field } from './html/controls.tsx'
import { Filter, List } from './list.tsx'
import { ifFound, NO_ERRORS, refusalText, retryForm, sentenceErrors } from './refusal.ts'
import { seeOther } from './request/answer.ts'
import { readForm } from './request/form-body.ts'
import { noteOf, PageOf, useRequest } from './screen.tsx'
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from './texts/languages.ts'

const Patch = Type.Object({
  name: Type.String({ minLength: 1 }),
  most: Type.Optional(Type.Union([Type.Integer(), Type.Object({ value: Type.Null() })])),
  addresses: Type.Array(Type.String({ maxLength: 9 })),
  isOn: Type.Boolean(),
  zone: Type.String(),
  key: Type.Optional(Type.String()),
})
const FIELDS = [
  text('name', { required: true }),
  number('most'),
  lines('addresses', { member: 'address' }),
  tick('isOn'),
  choice('zone', async () => [{ value: 'UTC', label: 'UTC' }]),
  secret('key'),
]
const TABLE = form(Patch, FIELDS)
const posted = async (body: string) => TABLE.posted(await readForm(Buffer.from(body), undefined))

describe('a form', () => {
  it('shows what the view of the API holds', () => {
    const view = { name: 'Shop', most: null, addresses: [{ address: 'a' }, { address: 'b' }], isOn: true }
    expect(TABLE.stored({ ...view, zone: 'UTC', key: '***' })).toEqual({
      name: 'Shop',
      most: '',
      addresses: 'a\nb',
      isOn: 'yes',
      zone: 'UTC',
      key: '',
    })
  })

  it('becomes the body that the schema takes', async () => {
    const values = await posted('name=+Shop+&most=12&addresses=a%0D%0Ab%2Cc&zone=UTC')
    expect(TABLE.body(values)).toEqual({
      name: 'Shop',
      most: 12,
      addresses: ['a', 'b', 'c'],
      isOn: false,
      zone: 'UTC',
    })
    expect(TABLE.body(await posted('name=Shop&isOn=yes'))).toMatchObject({
      most: { value: null },
      isOn: true,
    })
  })

  it('is refused with the errors of its fields, and keeps what was typed', async () => {
    const values = await posted('name=&most=12x&addresses=a+much-too-long')
    let problem: ApiError | undefined
    try {
      TABLE.body(values)
    } catch (error) {
      problem = error as ApiError
    }
    const errors = TABLE.errors(problem)
    expect(['name', 'most', 'addresses', 'zone'].filter((name) => errors.of(name))).toEqual([
      'name',
      'most',
      'addresses',
    ])
    const texts = { name: { label: 'Name', hint: 'Of the shop' } }
    const request = { texts: CONSOLE_LANGUAGES[0]?.texts } as OpenRequest
    const children = h(Fields, { fields: FIELDS, texts, values, errors })
    const html = renderToString(h(PageOf, { request, children }))
    expect(html).toContain('<label for="name">Name</label>')
    expect(html).toContain('value="12x"')
    expect(html).toMatch(/id="name"[^>]*aria-describedby="name-hint name-error" aria-invalid="true"/)
  })

  it('has the fields of a member inside another', () => {
    const table = form(
      Type.Object({ look: Type.Object({ colour: Type.String() }) }),
      [text('colour')],
      'look',
    )
    expect(table.stored({ look: { colour: 'red' } })).toEqual({ colour: 'red' })
    expect(table.body({ colour: 'red' })).toEqual({ look: { colour: 'red' } })
    expect(table.errors(invalid([{ field: 'look.colour', message: 'is odd' }])).of('colour')).toBe('is odd')
  })
})

it('codes are a list on one line, and an optional field says so', () => {
  const field = codes('countries', { optional: true })
  expect([field.stored(['DE', 'AT']), field.stored(null)]).toEqual(['DE AT', ''])
  expect(field.body('DE, AT;CH')).toEqual(['DE', 'AT', 'CH'])
  const request = { texts: { frame: { optional: 'optional' } } } as OpenRequest
  const texts = { countries: { label: 'Countries' } }
  const fields = h(Fields, { fields: [field], texts, values: { countries: 'DE' }, errors: NO_ERRORS })
  expect(renderToString(h(PageOf, { request, children: fields }))).toContain('Countries (optional)</label>')
})

it('an error is told in the language of the page, with the label of its field', () => {
  const problem = invalid([
    expected('routes[0].name', 'country'),
    mistaken('code', 'usedCode'),
    { field: 'zone', message: 'Choose a zone.' },
  ])
  expect(problem.message).toBe(
    'routes[0].name must be a two-letter country code. ' +
      'code is wrong, has expired or was used before. Choose a zone.',
  )
  const shown = (language: ConsoleLanguage, name: string) => {
    const request = { language, texts: language.texts } as OpenRequest
    const errors = sentenceErrors(request, problem, 'routes[0].')
    const field = h(Field, { id: name, name, label: 'Land', ...errors.for(name) })
    const html = renderToString(h(PageOf, { request, children: field }))
    return [errors.message, /-error">([^<]*)</.exec(html)?.[1]]
  }
  const [english, german] = CONSOLE_LANGUAGES as [ConsoleLanguage, ConsoleLanguage]
  expect(shown(english, 'name')).toEqual([
    english.texts.frame.correct,
    'Land must be a two-letter country code.',
  ])
  expect(shown(german, 'name')[1]).toBe('Geben Sie unter „Land“ einen Ländercode mit zwei Buchstaben ein.')
  expect(shown(german, 'code')[1]).toBe('„Land“ ist falsch, abgelaufen oder wurde schon verwendet.')
  expect(shown(german, 'zone')[1]).toBe('Choose a zone.')
  expect(shown(german, 'other')[1]).toBe('')
})

it('a refusal of the whole form is told in the language of the page', () => {
  const told = (problem: ApiError) =>
    CONSOLE_LANGUAGES.map((language) => refusalText({ language, texts: language.texts }, problem))
  expect(told(new ApiError('last_owner', 'One owner stays.'))).toEqual([
    'One owner stays.',
    'Die Lizenz hätte keinen Inhaber mehr. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  ])
  const translated = new ApiError('not_possible', 'Schon geändert.', { isTranslated: true })
  expect(told(translated)).toEqual(['Schon geändert.', 'Schon geändert.'])
})

describe('a refusal', () => {
  const refused = (error: unknown, codes: readonly ErrorCode[] = []) =>
    retryForm(
      async () => {
        throw error
      },
      ({ code }) => seeOther(code),
      codes,
    )

  it.each([
    invalid([{ field: 'name', message: 'is missing' }]),
    new ApiError('last_owner', 'Stays.'),
    new ApiError('otp_invalid', 'Wrong.'),
    new ApiError('forbidden', 'Too much.', { errors: [{ field: 'amount', message: 'Too much.' }] }),
  ])('that the person can correct shows the form again: %s', async (error) => {
    expect(await refused(error)).toEqual({ location: error.code })
  })

  it.each([
    new ApiError('forbidden', 'No.'),
    notFound('It'),
    new ApiError('unauthorized', 'No.'),
    new Error('x'),
  ])('of any other kind has the error page: %s', async (error) => {
    await expect(refused(error)).rejects.toBe(error)
  })

  it('for want of the thing itself can be undefined', async () => {
    expect(await ifFound(Promise.resolve(1))).toBe(1)
    expect(await ifFound(Promise.reject(notFound('It')))).toBeUndefined()
    await expect(ifFound(Promise.reject(new ApiError('forbidden', 'No.')))).rejects.toThrow('No.')
  })

  it('with a code that the form has a text for shows the form again', async () => {
    expect(await refused(notFound('The link'), ['not_found'])).toEqual({ location: 'not_found' })
    await expect(refused(new ApiError('forbidden', 'No.'), ['not_found'])).rejects.toThrow('No.')
  })
})

describe('a note', () => {
  const requestOf = (query: Readonly<Record<string, string>>) =>
    ({
      call: { query },
      texts: {
        shop: {
          notes: { saved: 'Saved.', sent: ({ count }: { count: number }) => `${count} sent.` },
          refusals: { full: 'No more.' },
        },
      },
    }) as unknown as OpenRequest

  it('is the text of the screen by its name, with the numbers of the address', () => {
    expect(noteOf(requestOf({ note: 'saved' }), 'shop')).toEqual({ kind: 'ok', text: 'Saved.' })
    expect(noteOf(requestOf({ note: 'sent', count: '3<b>' }), 'shop')?.text).toBe('3 sent.')
    expect(noteOf(requestOf({ note: 'full' }), 'shop')).toEqual({ kind: 'bad', text: 'No more.' })
  })

  it.each([{}, { note: 'other' }, { note: 'constructor' }])('is none for %o', (query) => {
    expect(noteOf(requestOf(query), 'shop')).toBeUndefined()
    expect(noteOf(requestOf({ note: 'saved' }), 'elsewhere')).toBeUndefined()
  })
})

describe('a list', () => {
  const columns = [
    { label: 'Name', cell: (name: string) => name },
    { label: 'Length', cell: (name: string) => name.length, end: true },
    false,
  ] as const

  it('has a row for each item', () => {
    const html = renderToString(h(List<string>, { caption: 'Names', columns, items: ['Ann'] }))
    expect(html).toContain('<th scope="col" class="end">Length</th>')
    expect(html).toContain('<td>Ann</td><td class="end">3</td>')
  })

  it('says what belongs there while it is empty', () => {
    const empty = { title: 'No names', body: 'Add one.', more: h('a', { href: '/new' }, 'New') }
    const html = renderToString(h(List<string>, { caption: 'Names', columns, items: [], empty }))
    expect(html).toMatch(/No names<\/p><p>Add one\.<\/p><a href="\/new">New<\/a>/)
  })
})

describe('a filter', () => {
  const request = { call: { query: { state: 'open', q: '<b>' } } } as unknown as OpenRequest
  const options = [{ value: 'open', label: 'Open' }]
  const fields = [
    { name: 'q', label: 'Search' },
    false,
    { name: 'state', label: 'State', any: 'Any', options },
  ] as const
  const html = (more: object) =>
    renderToString(
      h(PageOf, {
        request,
        children: h(Filter, { name: 'f', action: '/list', button: 'Filter', fields, ...more }),
      }),
    )

  it('shows what the address has, and a choice that filters nothing', () => {
    expect(html({})).toContain('name="q" value="&lt;b>" id="f-q"')
    expect(html({})).toContain('<option value>Any</option><option value="open" selected>Open</option>')
    expect(html({})).not.toContain('<a href')
  })

  it('can be cleared', () => {
    expect(html({ clear: 'Clear' })).toContain('<a href="/list">Clear</a>')
  })
})

it('a component outside of a page has no request', () => {
  const Name = () => (useRequest() satisfies AppRequest).app.friendlyName
  expect(() => renderToString(h(Name, {}))).toThrow('outside of a page')
  expect(NO_ERRORS.size).toBe(0)
})
