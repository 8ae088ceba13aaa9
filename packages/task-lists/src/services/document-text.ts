type Node = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly attrs?: { readonly state?: unknown; readonly level?: unknown };
  readonly content?: unknown;
};

/** Types of nodes that become one line of text each. */
const LINES: ReadonlySet<unknown> = new Set(['paragraph', 'heading', 'codeBlock', 'taskItem', 'tableRow']);
/** Deepest level of a document that is read; deeper ones are not written by hand. */
const DEEPEST = 20;

/**
 * Returns a document of Atlassian as text, with the parts that Markdown has: lines, lists and boxes. Returns '' for
 * other values.
 */
export function documentText(document: unknown, depth = 0, mark = ''): string {
  if (typeof document === 'string') return document;
  if (typeof document !== 'object' || document === null || depth > DEEPEST) return '';
  const { type, text, attrs, content } = document as Node;
  if (typeof text === 'string') return text;
  if (type === 'hardBreak') return '\n';
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  if (type === 'taskItem') {
    const box = attrs?.state === 'DONE' ? '[x]' : '[ ]';
    return `- ${box} ${parts.map((part) => documentText(part, depth + 1)).join('')}\n`;
  }
  const bullet = type === 'bulletList' || type === 'orderedList' ? '- ' : '';
  const inside = parts.map((part) => documentText(part, depth + 1, bullet)).join('');
  if (type === 'listItem') return `${mark}${inside.trim()}\n`;
  return LINES.has(type) ? `${inside}\n` : inside;
}
