import type { Block, FooterLine, Message } from './message.ts'

/** The plain text of a message: one paragraph a line, for readers without HTML. */
export function plainText({ heading, blocks, footer }: Message): string {
  const foot = footer.length === 0 ? '' : ['--', ...footer.map(footerText)].join('\n')
  const parts = [heading, ...blocks.map(blockText), foot]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function blockText(block: Block): string {
  if (block.kind === 'text') return block.text
  if (block.kind === 'button') return `${block.label}:\n${block.url}`
  return block.rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
}

const footerText = ({ text, url }: FooterLine): string => (url ? `${text}: ${url}` : text)
