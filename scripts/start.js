import { build, isBuilt } from './build.js'

if (!isBuilt()) build()
// In this very process, so that signals and exit codes are those of the service.
await import('../dist/main.js')
