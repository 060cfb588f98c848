import { runProgram } from '../../cli/src/main.ts'
import { SERVICE_COMMANDS } from './commands.ts'

await runProgram(SERVICE_COMMANDS)
