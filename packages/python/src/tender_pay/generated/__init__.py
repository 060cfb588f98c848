# Generated from the OpenAPI document by `npm run docs`. Do not edit.
