import { expect, it } from 'vitest'
import { apiWorld, testApi, testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { Secret } from '../../base/secret.ts'
import { merchantRoutes } from '../routes.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

type TestApi = typeof world.api
it('licences return a working key of each app, the same every time', async () => {
  const { license } = await testLicense(world.ctx)
  const path = `/api/licenses/${license.licenseId}`
  const first = await world.api.ask('GET', path, { key: license.authorizationCode })
  expect(first.json).toMatchObject([{ isSandbox: true }, { isSandbox: false }])
  for (const { appId, authorizationCode } of first.json)
    expect((await world.api.ask('GET', `/api/apps/${appId}`, { key: authorizationCode })).status).toBe(200)
  const again = await world.api.ask('GET', `/api/v1/licenses/${license.licenseId}`, {
    key: license.authorizationCode,
  })
  expect(again.json).toEqual(first.json)
  expect((await world.api.ask('GET', path, { key: 'wrong' })).status).toBe(401)
  expect((await world.api.ask('GET', '/api/licenses/%00', { key: license.authorizationCode })).status).toBe(
    401,
  )
})

it('licences replace a key that was revoked or whose installation secret was replaced', async () => {
  const { license } = await testLicense(world.ctx)
  const read = async (through: TestApi) =>
    (await through.ask('GET', `/api/licenses/${license.licenseId}`, { key: license.authorizationCode }))
      .json[0]
  const { appId, authorizationCode: key } = await read(world.api)
  const keys = await world.api.ask('GET', `/api/apps/${appId}/api-keys`, { key })
  const { keyId } = keys.json.find((one: { name: string }) => one.name === 'Licence')
  await world.api.ask('DELETE', `/api/apps/${appId}/api-keys/${keyId}`, { key })
  expect((await world.api.ask('GET', `/api/apps/${appId}`, { key })).status).toBe(401)
  const second = await read(world.api)
  expect((await world.api.ask('GET', `/api/apps/${appId}`, { key: second.authorizationCode })).status).toBe(
    200,
  )

  const rekeyed = await testContext({
    sharing: world.ctx,
    config: { secretKeys: [new Secret('another'.repeat(6))] },
  })
  const other = await testApi(rekeyed, { routes: routes(rekeyed) })
  const third = await read(other)
  expect((await other.ask('GET', `/api/apps/${appId}`, { key: third.authorizationCode })).status).toBe(200)
  expect((await other.ask('GET', `/api/apps/${appId}`, { key: second.authorizationCode })).status).toBe(200)
  await other.close()
  await rekeyed.close()
})
