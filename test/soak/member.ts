import type { Rig } from '../chaos/rig.ts'
import { openInside, openPages } from '../support/inside.ts'
import { PROCESS_KEY, pause, type ServiceProcess } from '../support/service-process.ts'

/** Between two pages. */
const EVERY_MS = 3_000

interface Watching {
  readonly onPage: (tookMs: number) => void
  /** Whether a page may fail now. */
  readonly isBroken: () => boolean
  readonly isOver: () => boolean
}

/** A member of one shop's team who looks at the console; resolves with the pages that failed. */
export async function useConsole(rig: Rig, service: ServiceProcess, watching: Watching): Promise<string[]> {
  const shop = rig.shops[0]
  if (!shop) throw new Error('there is no shop')
  const { url } = service
  const inside = await openInside({ ...shop, url, databaseUrl: rig.postgres.url, secretKey: PROCESS_KEY })
  const show = await openPages(url, inside)
  const failed: string[] = []
  const newest = () => [...rig.known.values()].findLast(({ appId }) => appId === shop.appId)
  for (let turn = 0; !watching.isOver(); turn++) {
    const startMs = performance.now()
    try {
      await show(pathOf(turn, newest()))
      watching.onPage(performance.now() - startMs)
    } catch (error) {
      if (!watching.isBroken()) failed.push((error as Error).message)
    }
    await pause(EVERY_MS)
  }
  await inside.close()
  return failed
}

function pathOf(turn: number, payment: { paymentId: number; referenceId: string } | undefined): string {
  const { paymentId, referenceId } = payment ?? { paymentId: 0, referenceId: '' }
  const pages = [
    '/payments',
    `/payments?q=${referenceId}`,
    '/overview?range=today',
    ...(payment ? [`/payments/${paymentId}`] : []),
    '/payments?state=paid&sort=largest',
  ]
  return pages[turn % pages.length] ?? ''
}
