/** What stands for ralph's signs where a terminal knows no Unicode: as wide as they are, so that columns stay. */
const PLAIN: Readonly<Record<string, string>> = {
  '✔': '+',
  '✖': 'x',
  '●': '*',
  '■': '#',
  '▸': '>',
  '→': '>',
  '·': '-',
  '–': '-',
  '…': '~',
  '│': '|',
  '─': '-',
  '×': 'x',
  '›': '>',
  '—': '-',
  '▶': '>',
  '✘': 'x',
  '−': '-',
  '↑': '^',
  '↓': 'v',
};

const SIGNS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** Whether the locale of an environment names a character set without ralph's signs: `C`, `POSIX`, `en_US.ISO-8859-1`. */
export function isWithoutUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return /^(?:C|POSIX)$/.test(locale) || /\.(?!utf-?8)/i.test(locale);
}

/** The text with signs that every terminal shows. `"…"` stands in a command for your words, so it stays what it says. */
export function withPlainSigns(text: string): string {
  return text.replaceAll('"…"', '"..."').replace(SIGNS, (sign) => PLAIN[sign] ?? sign);
}

const changed = new WeakSet<NodeJS.WriteStream>();

/** From now on texts that are written there have plain signs; bytes, such as a patch, stay as they are. */
export function writePlainSigns(stream: NodeJS.WriteStream): void {
  if (changed.has(stream)) return;
  changed.add(stream);
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? withPlainSigns(chunk) : chunk, ...rest)) as typeof stream.write;
}
