// Cuts a change of one file into pieces that can be applied one by one.

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;
/** Maximum number of unchanged lines between hunks that belong together, as in a diff with three lines of context. */
const NEAR = 6;
/** Matches one line with an assertion, or one row of a table of cases. */
const ASSERTION =
  /^\s*(?:assert|self\.assert|expect|t\.|st\.|s?t\.\w+|assert\.\w+)\b.*|^\s*[[{(].*[\])}],?\s*$/;

/**
 * Returns the hunks of a diff without context, in order. Each removes `old` lines after line `at`, and inserts `lines`
 * there.
 * @param {string} diff Diff of one file, made with `-U0`.
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

/** Returns the text with some of its hunks applied. @param hunks In order. */
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

/**
 * Returns groups of hunks that are applied or left out together: a hunk that only adds lines is alone, one that removes
 * lines is together with all hunks near it. Half of such a group would remove a test's assertion without its
 * replacement.
 * @param hunks Hunks of one file, in order.
 */
export function groupsOf(hunks) {
  const groups = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last !== undefined && hunk.at - (last.at + last.old) <= NEAR;
    if (isNear && [...groups.at(-1), hunk].some(({ old }) => old > 0)) groups.at(-1).push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

/**
 * Returns the added lines as blocks, cut at blank lines before a line that isn't indented more than the first. @param
 * hunk It only adds.
 */
export function blocksOf(hunk) {
  const depth = Math.min(...hunk.lines.filter(isWritten).map(indentOf));
  const blocks = [[]];
  for (const [index, line] of hunk.lines.entries()) {
    const isStart = isWritten(line) && indentOf(line) === depth && !isWritten(hunk.lines[index - 1] ?? '');
    if (isStart && blocks.at(-1).some(isWritten)) blocks.push([]);
    blocks.at(-1).push(line);
  }
  return blocks.map((lines) => ({ ...hunk, lines }));
}

/**
 * Returns the added lines as their assertions, each alone on a line, and the lines around them. @param hunk It only
 * adds.
 */
export function assertionsOf(hunk) {
  const parts = [];
  for (const line of hunk.lines) {
    const isAssertion = ASSERTION.test(line) && isBalanced(line);
    if (isAssertion || parts.at(-1)?.isAssertion !== false) parts.push({ ...hunk, lines: [], isAssertion });
    parts.at(-1).lines.push(line);
  }
  return parts;
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
