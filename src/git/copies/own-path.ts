import {
  chmodSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { realPathOf } from 'ralph-kit/files/real-path';
import { isAtOrBelow, withFolder } from 'ralph-kit/paths';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { type BytePath, nulList, pathIn } from '../call/git-path.ts';

/**
 * Replaces the old folder's name in copied text files and links: Python environments, scripts and builds name their
 * own folder, and programs in a copy at its own path would otherwise run the checkout's files.
 * @param paths Relative to both folders, with everything below them.
 */
export function nameOwnFolder(from: string, to: string, paths: readonly BytePath[]): void {
  const below = nulList(paths);
  const files = printed(to, below, ['find', '"$@" -type f -print0']);
  for (const path of printed(to, nulList(files), ['grep', '-lIZF -e "$FROM" -- "$@"'], from))
    rename(path, from, to);
  for (const path of printed(to, below, ['find', '"$@" -type l -print0'])) lead(path, from, to);
}

function printed(
  cwd: string,
  paths: Buffer,
  [program, args]: readonly [string, string],
  from = '',
): BytePath[] {
  const command = ['-0', '-r', '/bin/sh', '-c', `exec "$0" ${args}`, ownProgramPath(program, cwd)];
  const { stdout } = startSync('xargs', command, {
    cwd,
    input: paths,
    stdio: ['pipe', 'pipe', 'ignore'],
    encoding: 'latin1',
    env: { ...process.env, LC_ALL: 'C', FROM: from },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return (stdout ?? '').split('\0').filter(Boolean) as BytePath[];
}

function rename(path: BytePath, from: string, to: string): void {
  const file = pathIn(to, path);
  const { mode, atime, mtime } = lstatSync(file);
  const text = readFileSync(file, 'latin1');
  const renamed = withFolder(text, latin1(from), latin1(to));
  if (renamed === text) return;
  chmodSync(file, mode | 0o600);
  writeFileSync(file, renamed, 'latin1');
  chmodSync(file, mode);
  // Python must see a changed time to recompile; for all other tools nothing was rebuilt.
  if (!path.endsWith('.py')) utimesSync(file, atime, mtime);
}

/** Links out of the copy keep their target; links to copied files lead into the copy. */
function lead(path: BytePath, from: string, to: string): void {
  const link = pathIn(to, path);
  const text = readlinkSync(link);
  const folder = dirname(Buffer.from(path, 'latin1').toString('utf8'));
  if (!isAbsolute(text) && !`${normalize(join(folder, text))}/`.startsWith('../')) return;
  const target = resolve(from, folder, text);
  const place = [target, realPathOf(target)].find((one) => isAtOrBelow(one, from)) ?? target;
  rmSync(link);
  symlinkSync(withFolder(place, from, to), link);
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
