import { CHANGES } from './changes.ts'
import { FAULTS } from './faults.ts'
import { HOSTILE } from './hostile.ts'
import { MERCHANT } from './merchant.ts'
import { PAYING } from './paying.ts'
import type { ShopCase } from './visit.ts'

export const CASES: readonly ShopCase[] = [...PAYING, ...CHANGES, ...MERCHANT, ...FAULTS, ...HOSTILE]
