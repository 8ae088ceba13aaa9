/** A word in single quotes, as a POSIX shell reads it back unchanged, whatever is in it. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word as a POSIX shell reads it back unchanged; plain words stay as they are. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : singleQuoted(word);
}

/** `/bin/bash -lc 'npm test'` says no more than `npm test`, however it is quoted. */
export function withoutShell(command: string): string {
  const [shell = '', flag = '', inner, ...more] = plainWords(command) ?? [];
  const isShell = /(?:^|\/)(?:ba|da|k|z)?sh$/.test(shell) && /^-l?c$/.test(flag);
  return isShell && inner !== undefined && more.length === 0 ? withoutShell(inner) : command;
}

/** A part of a word: as it stands, in single quotes, in double quotes, behind a backslash. */
const PART = /([\w@%+=:,./^\]\u0080-\uffff-]+)|'([^']*)'|"([^"\\$`]*(?:\\.[^"\\$`]*)*)"|\\([^\n])/sy;

/** The words of a command line that is nothing but words, as a shell reads them; `null` for any other. */
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
