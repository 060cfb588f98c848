import { WebSocket } from 'undici'

/** The debugger's connection to a service process. */
export interface Inspected {
  send(method: string, params?: object): Promise<{ readonly profile: { readonly head: Node } }>
  close(): void
}

/** What a function has allocated itself, and the functions that it called. */
export interface Node {
  readonly callFrame: Frame
  readonly selfSize: number
  readonly children: readonly Node[]
}

export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

export async function inspectService(port: number): Promise<Inspected> {
  const reply = await fetch(`http://127.0.0.1:${port}/json`)
  const [target] = (await reply.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error) reject?.(new Error(error.message))
    else resolve?.(result as never)
  })
  let last = 0
  return {
    send(method, params = {}) {
      const id = ++last
      const answer = new Promise<never>((resolve, reject) => waiting.set(id, { resolve, reject }))
      socket.send(JSON.stringify({ id, method, params }))
      return answer
    },
    close: () => socket.close(),
  }
}
