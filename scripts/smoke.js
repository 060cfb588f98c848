import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, buildCli, root } from './build.js'
import { nodeFolder } from './node-binary.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run smoke -- <version>'
const { positionals } = readOptions({
  usage,
  does:
    'Builds the service, starts it on another version of Node, makes a captured payment and stops it. ' +
    'npm brings that version; if it cannot, nothing is tested and the result is success.',
  names: 'The version of Node, such as 24.',
})
const [version = '', ...more] = positionals
if (!/^\d+(\.\d+){0,2}$/.test(version) || more.length > 0) refuse(usage, 'Give one version of Node.')

const folder = mkdtempSync(join(tmpdir(), 'tender-smoke-'))
try {
  const bin = nodeFolder(version, join(folder, 'node'))
  if (bin) await tryService(join(bin, 'node'))
  else console.log(`The service was not tried on Node ${version}: npm could not install it.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function tryService(node) {
  await build()
  await buildCli()
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  const service = spawn(node, [join(root, 'dist/main.js')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(service, 'close')
  let output = ''
  try {
    const isReady = await Promise.race([readUntil(service.stdout, /sk_sandbox_\S+/), ended.then(() => false)])
    if (isReady) check(node, output)
  } finally {
    service.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) process.exitCode = 1
  console.log(`The service on Node ${version} ended with code ${code}.`)

  async function readUntil(stream, pattern) {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      output += chunk
      if (pattern.test(output)) return true
    }
    return false
  }
}

/** What the service printed names the app and its key. */
function check(node, output) {
  const printed = (name) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1]
  const env = {
    TENDER_URL: printed('Address'),
    TENDER_APP_ID: printed('Sandbox App ID'),
    TENDER_API_KEY: printed('API key'),
  }
  const program = join(root, 'packages/cli/dist/tender.js')
  const { status, stdout, stderr } = spawnSync(node, [program, 'trigger', 'captured', '--json'], {
    env,
    encoding: 'utf8',
  })
  const isCaptured = status === 0 && JSON.parse(stdout).paymentState === 'Captured'
  if (!isCaptured) process.exitCode = 1
  console.log(isCaptured ? `A payment was captured on Node ${version}.` : `${stdout}${stderr}`)
}
