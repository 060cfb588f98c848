import { build, isBuilt } from './build.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm start',
  does:
    'Builds the service when its source has changed, and starts it. It is configured by the environment: ' +
    'see docs/reference/config.md.',
})
if (!isBuilt()) build()
// In this very process, so that signals and exit codes are those of the service.
await import('../dist/main.js')
