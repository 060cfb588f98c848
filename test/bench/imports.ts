import type { Bench, Figure } from './bench.ts'
import { cpuFigure, rate } from './measure.ts'
import { type BenchApp, pause, type Rig } from './rig.ts'

/** Also tells the target: ten minutes for a hundred thousand. */
const TOKENS = Number(process.env.BENCH_IMPORT_TOKENS ?? 100_000)
const TARGET_SECONDS = (600 * TOKENS) / 100_000
const SAY_EVERY = 10_000

/** A file of stored methods, each of a customer of its own and read at its provider: the sandbox's bank. */
export const imports: Bench = {
  name: 'imports',
  onlyByName: true,
  bankApart: true,
  async run(rig, say) {
    const app = await rig.newApp()
    const before = rig.usage()
    const beganMs = performance.now()
    const elapsed = () => (performance.now() - beganMs) / 1_000
    const importId = await send(rig, app, await fileOf(app))
    const taken = elapsed()
    say(`the file is checked after ${taken.toFixed(1)} s`)
    let told = 0
    for (;;) {
      const { state, done, added, wrong } = await progress(app, importId)
      if (done >= told + SAY_EVERY) say(`${done} of ${TOKENS} after ${elapsed().toFixed(0)} s`)
      told = done - (done % SAY_EVERY)
      if (state === 'done' && added + wrong !== TOKENS) throw new Error(`${added} added, ${wrong} wrong`)
      if (state === 'done') break
      await pause(250)
    }
    const after = rig.usage()
    const us = (share: 'service' | 'postgres' | 'bank') =>
      ((after[share].cpuMs - before[share].cpuMs) * 1_000) / TOKENS
    const cpuUs = { service: us('service'), postgres: us('postgres'), bank: us('bank'), receiver: 0, load: 0 }
    const seconds = elapsed()
    const perSecond = TOKENS / seconds
    const whole: Figure = {
      what: `${TOKENS.toLocaleString('en')} tokens read and stored`,
      value: `${seconds.toFixed(0)} s, ${rate(perSecond)}`,
      target: `≤ ${TARGET_SECONDS} s`,
      ok: seconds <= TARGET_SECONDS,
      numbers: { seconds, perSecond, checked: taken },
    }
    return [whole, cpuFigure({ perSecond, cpuUs, logBytes: 0 }, 'CPU for each token')]
  },
}

async function fileOf(app: BenchApp): Promise<string> {
  const [profile] = JSON.parse((await app.call('GET', '/payment-profiles')).text)
  const rest = '2025-03-01T09:30:00Z,Terms of 2025'
  const line = (n: number) =>
    `payment-method,shop-${n},${profile.paymentProfileName},met_test_visa_${n},${rest}\n`
  const lines = Array.from({ length: TOKENS }, (_, n) => line(n))
  return `kind,customerId,paymentProfile,token,consentTime,consentText\n${lines.join('')}`
}

async function send({ url }: Rig, { appId, apiKey }: BenchApp, file: string): Promise<string> {
  const reply = await fetch(`${url}/api/apps/${appId}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' },
    body: file,
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${text.slice(0, 300)}`)
  return JSON.parse(text).importId
}

interface Progress {
  readonly state: string
  readonly done: number
  readonly added: number
  readonly wrong: number
}

const progress = async (app: BenchApp, importId: string): Promise<Progress> =>
  JSON.parse((await app.call('GET', `/imports/${importId}`)).text)
