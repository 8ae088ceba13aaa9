/** A word in single quotes, as a POSIX shell reads it back unchanged, whatever is in it. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word as a POSIX shell reads it back unchanged; plain words stay as they are. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : singleQuoted(word);
}

/** The same for any bytes, on one line and without characters that act on a terminal. */
export function shellQuoteBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (/^[^\p{C}\ufffd]*$/u.test(text)) return shellQuote(text);
  const escaped = [...bytes].map((byte) =>
    byte > 0x20 && byte < 0x7f && !'\'"%\\'.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"$(printf '${escaped.join('')}')"`;
}

/** `/bin/bash -lc 'npm test'` says no more than `npm test`. */
export function withoutShell(command: string): string {
  return /^\S*\b(?:ba|z)?sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;
}
