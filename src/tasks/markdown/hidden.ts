const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

/** The mark of a code fence that this line opens, such as ``` or ~~~~; `null` for any other line. */
export function openedFence(text: string): string | null {
  if (!text.includes('```') && !text.includes('~~~')) return null;
  const match = FENCE.exec(text);
  const mark = match?.[1];
  if (mark === undefined || (mark.startsWith('`') && match?.[2]?.includes('`'))) return null;
  return mark;
}

export function closesFence(raw: string, mark: string): boolean {
  const text = raw.trim();
  if (text.length < mark.length) return false;
  for (const character of text) if (character !== mark[0]) return false;
  return true;
}

export type Masked = { readonly text: string; readonly open: boolean };

/** Puts spaces in the place of comments. `open`: a comment continues in the next line. */
export function maskComments(raw: string, inside: boolean): Masked {
  let text = raw;
  let from = 0;
  if (inside) {
    const end = raw.indexOf('-->');
    if (end === -1) return { text: '', open: true };
    text = ' '.repeat(end + 3) + raw.slice(end + 3);
    from = end + 3;
  }
  for (let begin = text.indexOf('<!--', from); begin !== -1; begin = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', begin + 4);
    if (inCodeSpan(text, begin)) {
      from = begin + 4;
    } else if (end !== -1) {
      text = text.slice(0, begin) + ' '.repeat(end + 3 - begin) + text.slice(end + 3);
      from = end + 3;
    } else if (/^\s*(?:[-*+][ \t]+)?$/.test(text.slice(0, begin))) {
      return { text: text.slice(0, begin), open: true };
    } else {
      // Within a sentence, an opening without its end on the same line is just text.
      break;
    }
  }
  return { text, open: false };
}

function inCodeSpan(text: string, at: number): boolean {
  let ticks = 0;
  for (let index = 0; index < at; index += 1) if (text[index] === '`') ticks += 1;
  return ticks % 2 === 1;
}

/** Offset behind a YAML block between `---` lines at the very start, `start` when there is none. */
export function endOfFrontMatter(text: string, start: number): number {
  if (!/^---[ \t]*\r?\n/.test(text.slice(start, start + 80))) return start;
  const close = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/g;
  close.lastIndex = start + 3;
  const match = close.exec(text);
  // A rule at the top of a file that has another one below is no front matter: keys make the difference.
  if (match === null || !/^[\w-]+[ \t]*:/m.test(text.slice(start, match.index))) return start;
  return match.index + match[0].length;
}
