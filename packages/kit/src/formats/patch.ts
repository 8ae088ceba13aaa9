export type SideLine = {
  readonly text: string;
  /** Line number in the file, from 1. */
  readonly number: number;
  readonly changed: boolean;
  /** Index of the line's hunk, from 0. Lines of different hunks aren't neighbours. */
  readonly hunk: number;
};

export type FileChange = {
  /** `null` for a new file. */
  readonly oldPath: string | null;
  /** `null` for a deleted file. */
  readonly newPath: string | null;
  readonly before: readonly SideLine[];
  readonly after: readonly SideLine[];
  /** Text after `@@` by hunk, usually the first line of the enclosing function. */
  readonly sections: readonly string[];
};

/** Changed lines without an unchanged one between them. */
export type Run = {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Numbers of the first lines, from 1; of a side without lines, the number of the line before. */
  readonly oldStart: number;
  readonly newStart: number;
};

/** A file of a patch. */
export type PatchFile = FileChange & {
  readonly runs: readonly Run[];
  /** The patch says only that binary contents differ. */
  readonly binary: boolean;
};

type Draft = {
  /** The file has a header of git, which names renames. */
  readonly isGit: boolean;
  oldPath: string | null;
  newPath: string | null;
  binary: boolean;
  readonly before: SideLine[];
  readonly after: SideLine[];
  readonly sections: string[];
  readonly runs: OpenRun[];
};
type OpenRun = { removed: string[]; added: string[]; oldStart: number; newStart: number };
type Hunk = {
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
  /** Number of columns of signs in front of each line, one for each parent of a merge. */
  readonly signs: number;
  /** Changed lines that the next line may extend. */
  run: OpenRun | null;
};

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
/** Matches the hunk header of a merge: `@@@ -1,5 -1,4 +1,6 @@@`. */
const COMBINED = /^(@@@+) -(\d+)(?:,(\d+))?(?: -\d+(?:,\d+)?)+ \+(\d+)(?:,(\d+))? @@@+ ?(.*)$/;

/**
 * Returns the files of a unified diff, with or without git's headers. Line counts that don't fit are ignored, as patches are also written
 * by hand. Text that isn't a diff has no files.
 */
export function parsePatch(patch: string): readonly PatchFile[] {
  const files: Draft[] = [];
  let file: Draft | null = null;
  let hunk: Hunk | null = null;
  for (const line of patch.split(/\r?\n/)) {
    const inHunk: Hunk | null = hunk;
    const open = inHunk !== null && (inHunk.oldLeft > 0 || inHunk.newLeft > 0);
    const start = hunkAt(line);
    if (/^diff --(?:git|cc|combined) /.test(line)) {
      file = startFile(files, line);
      hunk = null;
    } else if (start !== null && file !== null) {
      file.sections.push(start.section);
      hunk = start.hunk;
    } else if (line.startsWith('--- ') && !open) {
      // Without git's header, a file begins at `---`.
      if (file === null || file.sections.length > 0) file = startFile(files, '');
      file.oldPath = isNever(line) ? null : pathIn(line.slice(4));
      hunk = null;
    } else if (line.startsWith('+++ ') && !open && file !== null) {
      file.newPath = isNever(line) ? null : pathIn(line.slice(4));
      // Only git marks renames. Without its header, the two names are those of compared folders.
      if (!file.isGit && file.oldPath !== null && file.newPath !== null) file.oldPath = file.newPath;
    } else if (inHunk !== null && file !== null) {
      addLine(file, inHunk, line);
    } else if (file !== null) {
      readHeader(file, line);
    }
  }
  return files;
}

function startFile(files: Draft[], header: string): Draft {
  const [, from, to] = /^diff --git ("(?:[^"\\]|\\.)*"|.+?) ("?[a-z]\/.*)$/.exec(header) ?? [];
  const [, combined] = /^diff --(?:cc|combined) (.*)$/.exec(header) ?? [];
  const file: Draft = {
    isGit: header !== '',
    oldPath: pathIn(from ?? combined ?? '/dev/null'),
    newPath: pathIn(to ?? combined ?? '/dev/null'),
    binary: false,
    before: [],
    after: [],
    sections: [],
    runs: [],
  };
  files.push(file);
  return file;
}

function hunkAt(line: string): { readonly hunk: Hunk; readonly section: string } | null {
  if (!line.startsWith('@@')) return null;
  const [, old, oldCount, now, newCount, section] = HUNK.exec(line) ?? [];
  if (old !== undefined) return hunkFrom([old, oldCount, now, newCount], 1, section);
  const [, ats, first, firstCount, last, lastCount, rest] = COMBINED.exec(line) ?? [];
  if (ats === undefined) return null;
  return hunkFrom([first, firstCount, last, lastCount], ats.length - 1, rest);
}

function hunkFrom(
  [old, oldCount, now, newCount]: readonly (string | undefined)[],
  signs: number,
  section = '',
): { readonly hunk: Hunk; readonly section: string } {
  const [oldLeft, newLeft] = [Number(oldCount ?? 1), Number(newCount ?? 1)];
  // A side without lines is positioned by the line before.
  const [oldAt, newAt] = [Number(old) + (oldLeft === 0 ? 1 : 0), Number(now) + (newLeft === 0 ? 1 : 0)];
  const hunk = { old: oldAt, new: newAt, oldLeft, newLeft, signs, run: null };
  return { hunk, section };
}

function addLine(file: Draft, at: Hunk, line: string): void {
  const hunk = file.sections.length - 1;
  const text = line.slice(at.signs);
  const sign =
    line === '' ? (at.oldLeft > 0 && at.newLeft > 0 ? ' ' : '\\') : signOf(line.slice(0, at.signs));
  if (sign === '+' || sign === '-') addToRun(file, at, sign, text);
  else if (sign === ' ') at.run = null;
  if (sign === '-' || sign === ' ') {
    file.before.push({ text, number: at.old++, changed: sign === '-', hunk });
    at.oldLeft -= 1;
  }
  if (sign === '+' || sign === ' ') {
    file.after.push({ text, number: at.new++, changed: sign === '+', hunk });
    at.newLeft -= 1;
  }
}

function addToRun(file: Draft, at: Hunk, sign: '+' | '-', text: string): void {
  if (at.run === null) {
    at.run = { removed: [], added: [], oldStart: at.old - 1, newStart: at.new - 1 };
    file.runs.push(at.run);
  }
  const { run } = at;
  if (sign === '-' && run.removed.push(text) === 1) run.oldStart = at.old;
  if (sign === '+' && run.added.push(text) === 1) run.newStart = at.new;
}

/** Returns a merge line's sign: a line is added or removed only if it is so for all parents. */
function signOf(signs: string): string | undefined {
  if (signs.length === 1 || signs.startsWith('\\')) return signs[0];
  if (/^\++$/.test(signs)) return '+';
  if (/^-+$/.test(signs)) return '-';
  return signs.includes('-') ? undefined : ' ';
}

function readHeader(file: Draft, line: string): void {
  const [, word, path] = /^(rename from|rename to|copy from|copy to) (.+)$/.exec(line) ?? [];
  if (word?.endsWith('from') && path !== undefined) file.oldPath = pathIn(path, false);
  if (word?.endsWith('to') && path !== undefined) file.newPath = pathIn(path, false);
  if (line.startsWith('Binary files ')) file.binary = true;
  if (line.startsWith('deleted file')) file.newPath = null;
  // The source of a copy stays.
  if (line.startsWith('new file') || word === 'copy to') file.oldPath = null;
}

/** `diff -N` gives a missing file the date of the epoch. */
function isNever(line: string): boolean {
  return /\t(?:1970-01-01 |Thu Jan +1 00:00:00 1970)/.test(line);
}

function pathIn(text: string, prefixed = true): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  const path = quoted === undefined ? text.replace(/\t.*$/, '') : unescaped(quoted);
  if (path === '/dev/null' || path === '') return null;
  // The prefixes are `a/` and `b/`, or those of `diff.mnemonicPrefix`.
  return prefixed ? path.replace(/^[abciow]\//, '') : path;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git quotes bytes in octal and control characters as in C. */
function unescaped(text: string): string {
  const bytes: number[] = [];
  for (const [piece, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined && ESCAPES[letter] !== undefined) bytes.push(ESCAPES[letter]);
    else for (const byte of new TextEncoder().encode(letter ?? piece)) bytes.push(byte);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
