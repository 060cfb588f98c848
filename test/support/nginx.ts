import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Only Linux has the whole of 127.0.0.0/8, from which the clients of these tests come. */
export const NGINX = process.platform === 'linux' && findProgram('openssl') ? findProgram('nginx') : undefined

function findProgram(name: string): string | undefined {
  try {
    const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`
    return execFileSync('sh', ['-c', `command -v ${name}`], { env: { PATH: path }, encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/** A reverse proxy with TLS, as docs/guides/operate.md configures it. */
export interface Nginx {
  readonly url: string
  /** Of its certificate. */
  readonly ca: string
  /** What clients connect to. */
  readonly port: number
  stop(): Promise<void>
}

const config = (folder: string, port: number, upstream: string) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`

const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'

/** Passes what it gets to `upstream`; ready when it accepts connections. */
export async function startNginx(program: string, upstream: string, port: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-nginx-'))
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync(findProgram('openssl') ?? '', [...CERTIFICATE.split(' '), ...files], {
    cwd: folder,
    stdio: 'ignore',
  })
  await writeFile(join(folder, 'nginx.conf'), config(folder, port, upstream))
  const args = ['-e', join(folder, 'error.log'), '-p', folder, '-c', join(folder, 'nginx.conf')]
  const child = spawn(program, args, { stdio: 'ignore' })
  const ca = readFileSync(join(folder, 'cert.pem'), 'utf8')
  const nginx: Nginx = {
    url: `https://localhost:${port}`,
    ca,
    port,
    async stop() {
      await ended(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
  await ready(nginx, child, join(folder, 'error.log'))
  return nginx
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function ready(nginx: Nginx, child: ChildProcess, log: string): Promise<void> {
  for (;;) {
    const answer = await ask(nginx, '127.0.0.1', 'GET /health/live').catch(() => undefined)
    if (answer) return
    if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(log, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export interface ProxyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

interface Asking {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly form?: URLSearchParams
}

/** A request through the proxy by a client at this address. */
export function ask(
  { port, ca }: Pick<Nginx, 'port' | 'ca'>,
  localAddress: string,
  target: `${'GET' | 'POST'} ${string}`,
  { headers = {}, form }: Asking = {},
): Promise<ProxyReply> {
  const [method, path] = target.split(' ')
  return new Promise((resolve, reject) => {
    const to = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      ca,
      localAddress,
      method,
      path,
      agent: false,
    }
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const sent = request({ ...to, headers: { ...type, ...headers } }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text })
    })
    sent.on('error', reject)
    sent.end(form?.toString())
  })
}

export const proxyPort = (): Promise<number> => freePort()
