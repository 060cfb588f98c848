/** The key of one request of a step that needs several: the step's key with a letter. */
export const subKey = (key: string, letter: 'A' | 'B' | 'C' | 'D'): string => `${key}${letter}`
