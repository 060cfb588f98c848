import { runProgram } from './main.ts'

await runProgram()
