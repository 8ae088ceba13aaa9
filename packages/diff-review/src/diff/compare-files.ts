import type { FileChange, SideLine } from 'ralph-kit/formats/patch';

/** A file before and after; `null` while it doesn't exist. */
export type FileVersions = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** Bounds the product of differing lines, which is the cost of the comparison. Above it the file counts as replaced. */
const MOST_CELLS = 4_000_000;

export function compareFiles({ path, before, after }: FileVersions): FileChange {
  const old = linesOf(before);
  const now = linesOf(after);
  const [keptOld, keptNew] = commonLines(old, now);
  const side = (lines: readonly string[], kept: ReadonlySet<number>): SideLine[] =>
    lines.map((text, index) => ({ text, number: index + 1, changed: !kept.has(index), hunk: 0 }));
  return {
    oldPath: before === null ? null : path,
    newPath: after === null ? null : path,
    before: side(old, keptOld),
    after: side(now, keptNew),
    sections: [''],
  };
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function commonLines(old: readonly string[], now: readonly string[]): [Set<number>, Set<number>] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let [oldEnd, newEnd] = [old.length, now.length];
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const keptOld = new Set<number>();
  const keptNew = new Set<number>();
  const keep = (oldIndex: number, newIndex: number) => {
    keptOld.add(oldIndex);
    keptNew.add(newIndex);
  };
  for (let index = 0; index < start; index += 1) keep(index, index);
  for (let index = 0; oldEnd + index < old.length; index += 1) keep(oldEnd + index, newEnd + index);
  const [rows, columns] = [oldEnd - start, newEnd - start];
  if (rows * columns > MOST_CELLS) return [keptOld, keptNew];

  // lengths[i][j] is the length of the longest common subsequence after old line i and new line j.
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const same = old[start + row] === now[start + column];
      lengths[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (old[start + row] === now[start + column]) keep(start + row++, start + column++);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return [keptOld, keptNew];
}
