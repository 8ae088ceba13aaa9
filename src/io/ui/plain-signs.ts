/**
 * Replacements for ralph's signs on a terminal without Unicode: as wide as the signs, so that columns stay
 * aligned.
 */
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

/**
 * Returns a text with signs that every terminal shows. `"…"` in a command is a placeholder for your words,
 * and stays.
 */
export function withPlainSigns(text: string): string {
  return text.replaceAll('"…"', '"..."').replace(SIGNS, (sign) => PLAIN[sign] ?? sign);
}

const changed = new WeakSet<NodeJS.WriteStream>();

/** From now on texts written to the stream have plain signs; bytes, such as a patch, stay as they are. */
export function writePlainSigns(stream: NodeJS.WriteStream): void {
  if (changed.has(stream)) return;
  changed.add(stream);
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? withPlainSigns(chunk) : chunk, ...rest)) as typeof stream.write;
}
