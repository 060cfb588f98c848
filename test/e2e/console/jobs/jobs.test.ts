import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../../../support/browser.ts'
import { MANNERS } from '../../../support/pages.ts'
import { invite, setUp } from './accounts.ts'
import { doJob, type Job, type Office, openOffice } from './desk.ts'
import { exportList, findByDigits, firstPayment, refundPart, release } from './payments.ts'
import { changeColour, connectProvider, resendWebhooks, rollKey, seeRoute } from './settings.ts'

/** Every job that a merchant has. Each is done by mouse, by keyboard alone, and without script. */
const JOBS: Readonly<Record<string, Job>> = {
  'set up': setUp,
  'invite a person': invite,
  'connect a provider': connectProvider,
  'take the first payment': firstPayment,
  'find a payment by the last four digits': findByDigits,
  'refund a part with a second factor': refundPart,
  'release a held payment': release,
  'see why a route was taken': seeRoute,
  'resend webhooks': resendWebhooks,
  'roll a key': rollKey,
  'change the colour of the checkout': changeColour,
  'export payments': exportList,
}

describe.skipIf(!chromiumPath)('jobs of a merchant', () => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice()
  })
  afterAll(() => office?.close())

  describe.each(Object.entries(JOBS))('%s', (_name, job) => {
    it.each(MANNERS)('%s', async (manner) => {
      expect(await doJob(office, manner, job)).toEqual([])
    })
  })
})
