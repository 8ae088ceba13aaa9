// A change of one file as pieces that can be put in one by one.

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;
/** Unchanged lines between hunks that belong together, as in a diff with three lines around each. */
const NEAR = 6;
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

/**
 * What may be put in or left out as one: hunks that only add are by themselves, and one that takes lines away is with all that are near it. Half of
 * them would take a test's assertion away and not bring the one that stands for it.
 *
 * @param hunks Of one file, in order.
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

/** What is added, cut where a blank line ends a block that is as far out as the first line. @param hunk It only adds. */
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

/** What is added, cut into its assertions that stand alone on a line, and what is around them. @param hunk It only adds. */
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
