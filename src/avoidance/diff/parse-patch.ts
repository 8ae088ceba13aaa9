import type { FileChange, SideLine } from './file-change.ts';

type Draft = {
  oldPath: string | null;
  newPath: string | null;
  before: SideLine[];
  after: SideLine[];
  sections: string[];
};
type Hunk = { old: number; new: number; oldLeft: number; newLeft: number };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Reads a unified diff, with or without git's headers. Lenient: counts that don't fit the lines are ignored, as patches
 * are also written by hand; what is no diff gives no files.
 */
export function parsePatch(patch: string): readonly FileChange[] {
  const files: Draft[] = [];
  let file: Draft | null = null;
  let hunk: Hunk | null = null;
  for (const line of patch.split(/\r?\n/)) {
    const inHunk: Hunk | null = hunk;
    const open = inHunk !== null && (inHunk.oldLeft > 0 || inHunk.newLeft > 0);
    const start = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      file = startFile(files, line);
      hunk = null;
    } else if (start !== null && file !== null) {
      hunk = startHunk(file, start);
    } else if (line.startsWith('--- ') && !open) {
      // Without git's header each file begins here.
      if (file === null || file.sections.length > 0) file = startFile(files, '');
      file.oldPath = pathIn(line.slice(4));
      hunk = null;
    } else if (line.startsWith('+++ ') && !open && file !== null) {
      file.newPath = pathIn(line.slice(4));
    } else if (inHunk !== null && file !== null) {
      addLine(file, inHunk, line);
    } else if (file !== null) {
      readHeader(file, line);
    }
  }
  return files;
}

function startFile(files: Draft[], header: string): Draft {
  const [, from, to] = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/.exec(header) ?? [];
  const file = { oldPath: from ?? null, newPath: to ?? null, before: [], after: [], sections: [] };
  files.push(file);
  return file;
}

function startHunk(file: Draft, match: RegExpExecArray): Hunk {
  const [, oldStart, oldCount, newStart, newCount, section] = match;
  file.sections.push(section ?? '');
  return {
    old: Number(oldStart),
    new: Number(newStart),
    oldLeft: Number(oldCount ?? 1),
    newLeft: Number(newCount ?? 1),
  };
}

function addLine(file: Draft, at: Hunk, line: string): void {
  const hunk = file.sections.length - 1;
  const text = line.slice(1);
  const sign = line === '' ? (at.oldLeft > 0 && at.newLeft > 0 ? ' ' : '\\') : line[0];
  if (sign === '-' || sign === ' ') {
    file.before.push({ text, number: at.old++, changed: sign === '-', hunk });
    at.oldLeft -= 1;
  }
  if (sign === '+' || sign === ' ') {
    file.after.push({ text, number: at.new++, changed: sign === '+', hunk });
    at.newLeft -= 1;
  }
}

function readHeader(file: Draft, line: string): void {
  const [, word, path] = /^(rename from|rename to|copy from|copy to) (.+)$/.exec(line) ?? [];
  if (word?.endsWith('from') && path !== undefined) file.oldPath = path;
  if (word?.endsWith('to') && path !== undefined) file.newPath = path;
  if (line.startsWith('deleted file')) file.newPath = null;
  // A copy leaves its source where it was.
  if (line.startsWith('new file') || word === 'copy to') file.oldPath = null;
}

function pathIn(text: string): string | null {
  const path = text.replace(/\t.*$/, '').replace(/^"(.*)"$/, '$1');
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
}
