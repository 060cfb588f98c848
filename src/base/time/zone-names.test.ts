import { expect, it } from 'vitest'
import { isTimeZone } from './zone.ts'
import { zoneChoices, zoneName } from './zone-names.ts'

it('zones have the names of today, each once', () => {
  const values = zoneChoices('Europe/Kiev').map(({ value }) => value)
  expect(values).toEqual([...new Set(values)])
  expect(values).toEqual(expect.arrayContaining(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk']))
  expect(values.filter((zone) => /Calcutta|Kiev|Godthab|Saigon/.test(zone))).toEqual([])
  expect(values.filter((zone) => !isTimeZone(zone))).toEqual([])
  expect([zoneName('Europe/Berlin'), zoneChoices('Etc/GMT+5').at(-1)?.value]).toEqual([
    'Europe/Berlin',
    'Etc/GMT+5',
  ])
})
