import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operation, pay, purchase, someMethod } from './contract/core.ts'
import type { ProviderHarness } from './contract/harness.ts'
import { MOVEMENTS } from './contract/movements.ts'
import { paysByName } from './contract/named.ts'
import { PAYING } from './contract/paying.ts'
import { settlesWhatWasMoved } from './contract/settling.ts'
import { STORING } from './contract/storing.ts'
import { METHOD_IDS } from './methods/method.ts'
import { METHOD_KINDS, type MethodKind } from './outcome.ts'
import type { Abilities, Manifest } from './port.ts'

/** Conformance suite that every adapter must pass. */
export function describeProvider(manifest: Manifest, open: () => Promise<ProviderHarness>): void {
  describe(`the ${manifest.id} adapter conforms to the provider contract`, () => {
    let harness: ProviderHarness
    beforeAll(async () => {
      harness = await open()
    })
    afterAll(() => harness.close())

    const suite: Suite = { harness: () => harness }
    describeManifest(suite)
    it('exposes its registered manifest', () => expect(harness.adapter.manifest).toEqual(manifest))
    for (const method of METHOD_KINDS) describeMethod(suite, method, manifest.methods[method])
    for (const method of METHOD_IDS)
      if (manifest.methods[method])
        it(`takes, shows and gives back a payment by ${method}`, () => paysByName(harness, method))
    it('tells which methods the account has turned on', async ({ skip }) => {
      const { adapter } = harness
      if (!adapter.accountMethods) return skip()
      const told = await adapter.accountMethods(harness.context())
      if (told.kind !== 'methods') throw new Error(`nothing was told: ${told.why}`)
      expect(told.methods.length).toBeGreaterThan(0)
      expect(told.methods.filter((method) => !manifest.methods[method])).toEqual([])
      const wrong = await adapter.accountMethods(harness.context({ config: harness.wrongSettings }))
      expect(wrong.kind).not.toBe('methods')
    })
    describeNotifications(suite)
    it('reports settled lines that equal what was moved', async ({ skip }) => {
      const { settlements } = harness.adapter
      // Without reads, lines come by a file.
      if (!settlements?.read) return skip()
      await settlesWhatWasMoved(harness, settlements)
    })
    it('writes no secret to logs or the database', async () => {
      const text = await harness.writtenDown()
      for (const secret of harness.secrets) expect(text).not.toContain(secret)
    })
  })
}

interface Suite {
  harness(): ProviderHarness
}

/** Declared abilities must work and undeclared ones must be rejected. Each ability has a case for both. */
function describeMethod({ harness }: Suite, method: MethodKind, abilities: Abilities | undefined): void {
  if (!abilities) return
  describe(method, () => {
    for (const { description, applies, run } of [...PAYING, ...MOVEMENTS, ...STORING])
      if (applies(abilities)) it(description, () => run(harness(), method))
  })
}

function describeManifest({ harness }: Suite): void {
  it('distinguishes valid from invalid settings by a read without side effects', async () => {
    const { adapter, context, wrongSettings } = harness()
    expect(await adapter.check(context())).toMatchObject({ ok: true })
    expect(await adapter.check(context({ config: wrongSettings }))).toMatchObject({ ok: false })
  })

  it('returns not-done bad-credentials for wrong settings', async () => {
    const { adapter, context, wrongSettings } = harness()
    const method = someMethod(harness())
    const outcome = await adapter.start(
      context({ config: wrongSettings }),
      operation('start'),
      purchase({ method }),
    )
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'bad-credentials' })
  })

  it('returns absent for an unknown reference, or unreadable if it looks up by id only', async () => {
    const { adapter, context } = harness()
    const sight = await adapter.retrieve(context(), operation('start').reference, {}, { currency: 'EUR' })
    if (adapter.manifest.retrieve === 'by-reference')
      expect(sight).toEqual({ kind: 'absent', conclusive: true })
    else expect(sight).toMatchObject({ kind: 'unreadable' })
  })

  it('returns not-done if the provider is unreachable', async () => {
    const { adapter, context } = harness()
    const unreachable = context({ http: { call: async () => ({ kind: 'not-sent', cause: 'ECONNREFUSED' }) } })
    expect(await adapter.cancel(unreachable, operation('cancel'), { payment: 'x' })).toMatchObject({
      kind: 'not-done',
      why: 'not-sent',
    })
  })
}

function describeNotifications({ harness }: Suite): void {
  it('accepts a genuine notification, also repeated, and rejects a modified one', async () => {
    const { adapter, context } = harness()
    const paid = await pay(harness(), { method: someMethod(harness()) })
    const [call] = await harness().notifications(paid.reference)
    if (!call) throw new Error('the provider sent no notification')
    const isUnsigned = adapter.manifest.unsignedNotifications === true
    const named = isUnsigned ? { lookup: paid.handles.lookup } : { reference: paid.reference }
    const events = { kind: 'events', hints: [named] }
    expect(await adapter.receive(context(), call)).toMatchObject(events)
    expect(await adapter.receive(context(), call)).toMatchObject(events)
    const garbage = { ...call, rawBody: Buffer.from('{') }
    expect(await adapter.receive(context(), garbage)).toEqual({ kind: 'forged' })
    // It proves nothing and tells nothing but an id.
    if (isUnsigned) return
    const changed = Buffer.from(call.rawBody)
    changed[changed.length - 2] = (changed[changed.length - 2] ?? 0) ^ 1
    expect(await adapter.receive(context(), { ...call, rawBody: changed })).toEqual({ kind: 'forged' })
    if (!harness().signsInBody)
      expect(await adapter.receive(context(), { ...call, headers: {} })).toEqual({ kind: 'forged' })
  })
}
