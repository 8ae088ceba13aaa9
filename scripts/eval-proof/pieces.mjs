// A change of one file as pieces that can be put in one by one.

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;
/** One line that asserts something, or one row of a table of cases. */
const ASSERTION =
  /^\s*(?:assert|self\.assert|expect|t\.|st\.|s?t\.\w+|assert\.\w+)\b.*|^\s*[[{(].*[\])}],?\s*$/;

/**
 * The hunks of a diff without context, in order. Each takes `old` lines away after line `at`, and puts `lines` there.
 *
 * @param {string} diff Of one file, made with `-U0`.
 */
export function hunksOf(diff) {
  const hunks = [];
  for (const line of diff.split('\n')) {
    const [, from, count = '1'] = HUNK.exec(line) ?? [];
    if (from !== undefined)
      hunks.push({ at: Number(from) - (count === '0' ? 0 : 1), old: Number(count), lines: [] });
    else if (line.startsWith('+') && hunks.length > 0) hunks.at(-1).lines.push(line.slice(1));
  }
  return hunks;
}

/** The text with some of its hunks in it. @param hunks In order. */
export function withHunks(text, hunks) {
  const old = text.split('\n');
  const lines = [];
  let from = 0;
  for (const { at, old: count, lines: added } of hunks) {
    lines.push(...old.slice(from, Math.max(from, at)), ...added);
    from = Math.max(from, at + count);
  }
  return [...lines, ...old.slice(from)].join('\n');
}

/** Hunks that only add are cut where a blank line ends a block that is as far out as the hunk's first line. */
export function blocksOf(hunk) {
  if (hunk.old > 0) return [hunk];
  const depth = Math.min(...hunk.lines.filter(isWritten).map(indentOf));
  const blocks = [[]];
  for (const [index, line] of hunk.lines.entries()) {
    const isStart = isWritten(line) && indentOf(line) === depth && !isWritten(hunk.lines[index - 1] ?? '');
    if (isStart && blocks.at(-1).some(isWritten)) blocks.push([]);
    blocks.at(-1).push(line);
  }
  return blocks.map((lines) => ({ ...hunk, lines }));
}

/** A hunk cut into its assertions that stand alone on a line, each a piece, and what is around them, which isn't one. */
export function assertionsOf(hunk) {
  if (hunk.lines.length === 0) return [{ ...hunk, isPiece: false }];
  const parts = [];
  for (const line of hunk.lines) {
    const isPiece = ASSERTION.test(line) && isBalanced(line);
    if (isPiece || parts.at(-1)?.isPiece !== false) parts.push({ at: hunk.at, old: 0, lines: [], isPiece });
    parts.at(-1).lines.push(line);
  }
  // What is taken away is taken away by the first part, which then always stays.
  return parts.map((part, index) =>
    index === 0 && hunk.old > 0 ? { ...part, old: hunk.old, isPiece: false } : part,
  );
}

function isBalanced(line) {
  const count = (chars) => [...line].filter((char) => chars.includes(char)).length;
  return count('([{') === count(')]}');
}

function isWritten(line) {
  return line.trim() !== '';
}

function indentOf(line) {
  return line.length - line.trimStart().length;
}
