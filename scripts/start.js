import { build, isBuilt } from './build.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm start',
  does:
    'Builds the service if its source has changed, and starts it. Settings come from the environment: ' +
    'see docs/reference/config.md.',
})
if (!isBuilt()) await build()
// Runs in this process, so that signals and exit codes are those of the service.
await import('../dist/main.js')
