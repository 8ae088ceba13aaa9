const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
};

/** Returns the text with `\n`, `\x41`, `\u0041` and `\101` decoded as `echo -e` does. Other escapes are the character itself. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x\{?([0-9a-fA-F]{1,2})\}?|u\{?([0-9a-fA-F]{1,4})\}?|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([\s\S]))/g,
    (_whole, hex?: string, short?: string, long?: string, octal?: string, sign?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return codePoint(Number.parseInt(digits, 16));
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8));
      return NAMED[sign ?? ''] ?? sign ?? '';
    },
  );
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : '';
}
