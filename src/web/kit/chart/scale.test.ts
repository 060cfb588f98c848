import { expect, it } from 'vitest'
import { labelledPlaces, scaleOf } from './scale.ts'

it.each([
  [[0], [0, 1]],
  [[3], [0, 1, 2, 3]],
  [[0.3], [0, 0.1, 0.2, 0.3]],
  [[87.5], [0, 50, 100]],
  [[1_234], [0, 500, 1_000, 1_500]],
  [[40], [0, 10, 20, 30, 40]],
  [
    [-30, 90],
    [-50, 0, 50, 100],
  ],
  [[-5], [-6, -4, -2, 0]],
])('covers %j with round steps', (values, steps) => {
  expect(scaleOf(values).steps).toEqual(steps)
})

it('has no step below one for counts', () => {
  expect(scaleOf([1], { isWhole: true }).steps).toEqual([0, 1])
  expect(scaleOf([3], { isWhole: true }).steps).toEqual([0, 1, 2, 3])
})

it('labels few places, evenly spaced, the first among them', () => {
  expect([...labelledPlaces(3, 5)]).toEqual([0, 1, 2])
  expect([...labelledPlaces(30, 5)]).toEqual([0, 6, 12, 18, 24])
})
