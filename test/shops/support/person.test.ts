import { expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { newPerson, seesPaid } from './person.ts'

const AWAY = '<h1>We will be right back</h1><p>Refresh this page in a moment.</p>'
const PAID = '<h1>Payment received</h1>'

it.skipIf(!chromiumPath)('the shopper refreshes a page that says that the service is away', async () => {
  const person = await newPerson()
  try {
    const page = await person.open('about:blank')
    const answers = [AWAY, AWAY, PAID]
    await page.route('**/*', (route) => {
      const body = answers.shift() ?? PAID
      return route.fulfill({ status: body === AWAY ? 503 : 200, contentType: 'text/html', body })
    })
    await page.goto('http://pay.example/')
    await seesPaid(page)
    expect(answers).toEqual([])
  } finally {
    await person.stop()
  }
})
