import { type MockInstance, vi } from 'vitest'
import type { App, Profile } from '../../src/merchants/app.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { settingsOf } from '../../src/merchants/profiles/adapter.ts'
import type { ReadOutcome } from '../../src/providers/outcome.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import type { SandboxSettings } from '../../src/sandbox/adapter/manifest.ts'
import { SIGNATURE_HEADER, signature } from '../../src/sandbox/adapter/signature.ts'
import type { TestApp, TestService } from './tender.ts'

export async function appOf({ service }: TestService, { appId }: TestApp): Promise<App> {
  const app = await loadApp(service.ctx, appId)
  if (!app) throw new Error('the app is gone')
  return app
}

export function bankAdapter({ service }: TestService): ProviderAdapter {
  const adapter = service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox bank')
  return adapter
}

interface Reported {
  readonly reference: string
  readonly type?: string
  /** Any text: another one is another notification. */
  readonly id?: string
  readonly isForged?: boolean
}

let count = 0

/** Calls a profile as the built-in bank does, signed with the account's key. */
export async function notifyAs(tender: TestService, profile: Profile, reported: Reported): Promise<number> {
  const { reference, type = 'payment.disputed', id = `evt_${++count}`, isForged = false } = reported
  const { ctx } = tender.service
  const { account, apiKey } = settingsOf(ctx, { isSandbox: true }, profile) as SandboxSettings
  const body = JSON.stringify({ id, type, account, payment: 'any', reference })
  const key = isForged ? 'another key' : apiKey
  const reply = await fetch(addressOf(tender, profile), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signature(key, ctx.clock.now(), body),
    },
    body,
  })
  await reply.arrayBuffer()
  return reply.status
}

const addressOf = ({ url }: TestService, { profileId, webhookKey }: Profile): string =>
  `${url}/api/provider-webhook?profileId=${profileId}&webhookKey=${webhookKey}`

export interface OperationFound {
  readonly key: string
  readonly step: string
  readonly profileId: number
}

export async function operationsOf(
  { service }: TestService,
  { appId }: TestApp,
  paymentId: number,
): Promise<OperationFound[]> {
  const text = `select operation_key as key, step, profile_id::integer as "profileId" from operations
    where app_id = $1 and payment_id = $2 order by created_time`
  return service.ctx.db.query<OperationFound>({ name: 'test.operationsOf', text }, [appId, paymentId])
}

/** The operation that began the payment's only attempt. */
export async function attemptOf(tender: TestService, app: TestApp, paymentId: number) {
  const attempt = (await operationsOf(tender, app, paymentId)).find(({ step }) => step === 'start')
  if (!attempt) throw new Error('the payment was not attempted')
  return attempt
}

export interface Gate {
  /** Reads that wait at this moment. */
  readonly waiting: number
  /** The most that waited at once. */
  readonly mostWaiting: number
  /** Lets all reads through, from now on. */
  open(): void
}

/** Reads of one app's payments at the bank do not end before the gate is opened. Others do. */
export function holdReads(tender: TestService, { appId }: TestApp): Gate {
  const adapter = bankAdapter(tender)
  const retrieve = adapter.retrieve.bind(adapter)
  let waiting = 0
  let mostWaiting = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reading: MockInstance = vi
    .spyOn(adapter, 'retrieve')
    .mockImplementation(async (provider, ...call): Promise<ReadOutcome> => {
      if ((provider.config as SandboxSettings).account === appId) {
        waiting++
        mostWaiting = Math.max(mostWaiting, waiting)
        await opened
        waiting--
      }
      return retrieve(provider, ...call)
    })
  return {
    get waiting() {
      return waiting
    },
    get mostWaiting() {
      return mostWaiting
    },
    open() {
      open()
      reading.mockRestore()
    },
  }
}

/** How many notifications of the app are in a status. */
export async function countOf({ service }: TestService, { appId }: TestApp, status = 'new'): Promise<number> {
  const text = `select count(*)::integer as count from provider_notifications
    where app_id = $1 and status = $2`
  const [row] = await service.ctx.db.query<{ count: number }>({ name: 'test.countOf', text }, [appId, status])
  return row?.count ?? 0
}
