import { expect, it } from 'vitest'
import { dayOf, secondsLeftOfDay } from './instant.ts'

it('the day and its rest depend on the time zone', () => {
  const time = new Date('2026-01-01T23:30:05Z')
  expect(dayOf(time, 'UTC')).toBe('2026-01-01')
  expect(dayOf(time, 'Asia/Tokyo')).toBe('2026-01-02')
  expect(dayOf(new Date('2026-01-01T00:00:00Z'), 'America/New_York')).toBe('2025-12-31')
  expect(secondsLeftOfDay(time, 'UTC')).toBe(29 * 60 + 55)
  expect(secondsLeftOfDay(new Date('2026-01-01T00:00:00Z'), 'UTC')).toBe(86_400)
})
