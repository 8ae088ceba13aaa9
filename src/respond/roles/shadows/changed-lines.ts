type Lines = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * Returns the changed lines of a unified diff by their number after the change. A deletion is at the line that follows
 * it.
 */
export function changedLines(diff: string): Lines {
  const files = new Map<string, Map<number, string>>();
  let current: Map<number, string> | null = null;
  let line = 0;
  let left = 0;
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      line = Number(hunk[1]);
      left = 1;
    } else if (left > 0 && current !== null && /^[+\- \\]/.test(text) && !text.startsWith('--- a/')) {
      if (text.startsWith('+')) {
        current.set(line, text.slice(1));
        line += 1;
      } else if (text.startsWith('-')) {
        if (!current.has(line)) current.set(line, '');
      } else if (text.startsWith(' ')) line += 1;
    } else if (text.startsWith('+++ ')) {
      const path = text.slice(4).replace(/^b\//, '').replace(/\t$/, '');
      current = new Map();
      files.set(path, current);
      left = 0;
    } else left = 0;
  }
  return files;
}
