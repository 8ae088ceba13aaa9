/** A word in single quotes, as a POSIX shell reads it back unchanged, whatever is in it. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word as a POSIX shell reads it back unchanged; plain words stay as they are. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : singleQuoted(word);
}

/** `/bin/bash -lc 'npm test'` says no more than `npm test`. */
export function withoutShell(command: string): string {
  return /^\S*\b(?:ba|z)?sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;
}
