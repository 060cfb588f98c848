import type { Abilities } from './port.ts'

/** The abilities for paying on a page or with fields, or for charging a stored method. Decision 0011. */
export const abilitiesFor = (abilities: Abilities, isStored: boolean): Abilities =>
  isStored ? { ...abilities, ...abilities.stored } : abilities
