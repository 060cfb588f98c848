const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows')

const PROVIDERS = ['pp_tender_tender', 'pp_tender_manual']
const product = (sales_channel) => ({
  title: 'Tea',
  status: 'published',
  options: [{ title: 'Size', values: ['One'] }],
  sales_channels: [{ id: sales_channel }],
  variants: [
    {
      ...{ title: 'Tea', manage_inventory: false, options: { Size: 'One' } },
      prices: Object.entries({ eur: 12.75, jpy: 1276, kwd: 1.235 }).map(([currency_code, amount]) => ({
        currency_code,
        amount,
      })),
    },
  ],
})

/** A region for each currency, one product, a key for the storefront and one for the merchant. */
exports.POST = async ({ scope }, response) => {
  const made = async (workflow, input) => (await workflow(scope).run({ input })).result
  const [channel] = await made(createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Web' }] })
  const regions = Object.entries({ eur: 'de', jpy: 'jp', kwd: 'kw' }).map(([currency_code, country]) => ({
    ...{ name: country, currency_code, countries: [country], payment_providers: PROVIDERS },
  }))
  const created = await made(createRegionsWorkflow, { regions })
  const regionIds = Object.fromEntries(created.map(({ currency_code, id }) => [currency_code, id]))
  const [{ variants }] = await made(createProductsWorkflow, { products: [product(channel.id)] })
  const api_keys = ['publishable', 'secret'].map((type) => ({ type, title: type, created_by: 'test' }))
  const [store, merchant] = await made(createApiKeysWorkflow, { api_keys })
  await made(linkSalesChannelsToApiKeyWorkflow, { id: store.id, add: [channel.id] })
  response.json({
    regionIds,
    variantId: variants[0].id,
    storeKey: store.token,
    merchantKey: merchant.token,
  })
}
