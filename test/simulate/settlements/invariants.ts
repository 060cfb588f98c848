import { linesAgainstLedger } from '../../support/bank-lines.ts'
import type { Scene } from '../scene.ts'
import { booksAgree, clearingIsAtTheBank } from './books.ts'
import { faultsAreFound } from './exceptions.ts'
import { bankLines, linesAreRead } from './reports.ts'

/** What is true of settlements and of the ledger, in worlds of the sandbox: only its bank settles here. */
export async function settlementsAgree(scene: Scene): Promise<string[]> {
  const { world, merchants } = scene
  if (world.provider) return []
  const bank = await bankLines(scene)
  const own = await Promise.all(merchants.map(({ appId }) => linesAgainstLedger(world.database, appId)))
  return [
    ...own.flat(),
    ...(await linesAreRead(scene, bank)),
    ...(await faultsAreFound(scene, bank)),
    ...(await booksAgree(scene)),
    ...(await clearingIsAtTheBank(scene, bank)),
  ]
}
