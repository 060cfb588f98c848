import { defineMiddlewares } from '@medusajs/framework/http'

/** The signature is over the bytes that were received. */
const middlewares: ReturnType<typeof defineMiddlewares> = defineMiddlewares({
  routes: [{ matcher: '/hooks/tender', methods: ['POST'], bodyParser: { preserveRawBody: true } }],
})

export default middlewares
