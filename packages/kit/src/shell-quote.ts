/** Quotes a word for a POSIX shell, whatever it contains. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for a POSIX shell unless it is plain. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : singleQuoted(word);
}

/** Returns the inner command of `/bin/bash -lc 'npm test'`, however it is quoted. */
export function withoutShell(command: string): string {
  const [shell = '', flag = '', inner, ...more] = plainWords(command) ?? [];
  const isShell = /(?:^|\/)(?:ba|da|k|z)?sh$/.test(shell) && /^-l?c$/.test(flag);
  return isShell && inner !== undefined && more.length === 0 ? withoutShell(inner) : command;
}

/** Part of a word: plain, in single quotes, in double quotes, or after a backslash. */
const PART = /([\w@%+=:,./^\]\u0080-\uffff-]+)|'([^']*)'|"([^"\\$`]*(?:\\.[^"\\$`]*)*)"|\\([^\n])/sy;

/** Returns the words of a simple command line; `null` for any other. */
function plainWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ' || line[at] === '\t') {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    PART.lastIndex = at;
    const [part, plain, single, double, escaped] = PART.exec(line) ?? [];
    if (part === undefined) return null;
    word = (word ?? '') + (plain ?? single ?? escaped ?? inDoubleQuotes(double ?? ''));
    at += part.length;
  }
  return word === null ? words : [...words, word];
}

function inDoubleQuotes(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
}
