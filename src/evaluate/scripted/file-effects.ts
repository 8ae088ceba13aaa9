import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';

// The effects of the scripted agent on files. Paths are as in the scenario; all throw ActionError.

export function writeText(path: string, content: string): void {
  writeFileSync(withFolder(safePath(path, true)), content);
}

export function appendText(path: string, content: string): void {
  appendFileSync(withFolder(safePath(path, true)), content);
}

export function editText(path: string, find: string, replace: string): void {
  const full = existing(path);
  const text = readFileSync(full, 'utf8');
  const at = text.indexOf(find);
  if (at < 0) throw new ActionError(`${path} does not hold ${JSON.stringify(find)}`);
  writeFileSync(full, text.slice(0, at) + replace + text.slice(at + find.length));
}

export function deletePath(path: string): void {
  const full = safePath(path, false);
  if (full === safePath('.', false)) throw new ActionError('the working directory itself cannot be deleted');
  if (!lstatSync(full, { throwIfNoEntry: false })) throw new ActionError(`${path} does not exist`);
  // Others may write in a folder meanwhile.
  rmSync(full, { recursive: true, maxRetries: 5 });
}

export function renamePath(from: string, to: string): void {
  const source = safePath(from, false);
  if (!lstatSync(source, { throwIfNoEntry: false })) throw new ActionError(`${from} does not exist`);
  renameSync(source, withFolder(safePath(to, false)));
}

export function changeMode(path: string, mode: string): void {
  chmodSync(existing(path), Number.parseInt(mode, 8));
}

export function makeLink(path: string, target: string): void {
  symlinkSync(target, withFolder(safePath(path, false)));
}

export function makeFolder(path: string): void {
  mkdirSync(safePath(path, true), { recursive: true });
}

export function touch(path: string): void {
  const now = new Date();
  utimesSync(existing(path), now, now);
}

export function rewriteSame(path: string): void {
  const full = existing(path);
  writeFileSync(full, readFileSync(full));
}

const BOX = /^(\s*(?:[-*+]|\d+[.)])\s+)\[[^\]xX]\]/;

/** Ticks the open box on the line that holds `mark`, else the first open one. */
export function tickBox(path: string, mark: string): void {
  const full = existing(path);
  const lines = readFileSync(full, 'utf8').split('\n');
  const open = lines.flatMap((line, index) => (BOX.test(line) ? [index] : []));
  const at = open.find((index) => mark !== '' && lines[index]?.includes(mark)) ?? open[0];
  if (at === undefined) throw new ActionError(`${path} has no open box to tick`);
  lines[at] = (lines[at] ?? '').replace(BOX, '$1[x]');
  writeFileSync(full, lines.join('\n'));
}

function existing(path: string): string {
  const full = safePath(path, true);
  if (!lstatSync(full, { throwIfNoEntry: false })) throw new ActionError(`${path} does not exist`);
  return full;
}

function withFolder(full: string): string {
  mkdirSync(dirname(full), { recursive: true });
  return full;
}

/** An action that cannot be done; its message is for the writer of the scenario. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/**
 * The absolute path of a scenario's path, which must stay inside the working directory: in its text, and after the
 * symbolic links of its folders. `follow`: the file itself may be a link too, and what it points to counts.
 * @throws ActionError when it leaves.
 */
export function safePath(path: string, follow: boolean): string {
  const root = realpathSync('.');
  const full = resolve(root, path);
  if (isAbsolute(path) || !within(root, full)) throw outside(path);
  const existing = nearestExisting(follow ? full : dirname(full));
  if (full !== root && !within(root, realOrThrow(existing, path))) throw outside(path);
  return full;
}

/** A dangling link counts as existing: writing to it would make its target. */
function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;
}

function realOrThrow(path: string, shown: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw outside(shown);
  }
}

function within(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): ActionError {
  return new ActionError(`${path} leaves the working directory: give a path inside of it`);
}
