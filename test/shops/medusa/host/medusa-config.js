const { defineConfig } = require('@medusajs/framework/utils')

const { DATABASE_URL, SHOP_URL, TENDER_URL, TENDER_APP, TENDER_KEY, TENDER_WEBHOOK_SECRET } = process.env

const options = {
  url: TENDER_URL,
  appId: TENDER_APP,
  apiKey: TENDER_KEY,
  webhookSecret: TENDER_WEBHOOK_SECRET,
  webhookUrl: `${SHOP_URL}/hooks/tender`,
  returnUrl: `${SHOP_URL}/paid`,
}

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      ...{ storeCors: SHOP_URL, adminCors: SHOP_URL, authCors: SHOP_URL },
      ...{ jwtSecret: 'of a test', cookieSecret: 'of a test' },
    },
  },
  admin: { disable: true },
  plugins: ['@tender-pay/medusa'],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          { resolve: '@tender-pay/medusa', id: 'tender', options },
          { resolve: '@tender-pay/medusa', id: 'manual', options: { ...options, autoCapture: false } },
        ],
      },
    },
  ],
})
