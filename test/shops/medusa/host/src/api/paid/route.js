/** Where the browser comes back; a storefront would complete the cart here. */
exports.GET = (_request, response) =>
  response.type('html').send('<!doctype html><title>Shop</title><h1>Thank you</h1>')
