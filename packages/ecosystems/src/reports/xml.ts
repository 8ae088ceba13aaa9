export type Tag = {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly attributes: Readonly<Record<string, string>>;
};

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Yields tags in order, except in comments and CDATA. Custom entities aren't resolved, and nothing is loaded. */
export function* tagsIn(xml: string): Generator<Tag> {
  for (const [, close, name, attributes, empty] of xml.matchAll(MARKUP)) {
    if (name === undefined) continue;
    const pairs = [...(attributes ?? '').matchAll(ATTRIBUTE)].map(
      ([, key = '', one, other]) => [key, unescaped(one ?? other ?? '')] as const,
    );
    const kind = close === '/' ? 'close' : empty === '/' ? 'empty' : 'open';
    yield { name: name.replace(/^.*:/, ''), kind, attributes: Object.fromEntries(pairs) };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(x?)([\da-f]{1,6}));/gi, (whole, name, hex, number) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = Number.parseInt(number, hex === '' ? 10 : 16);
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}
