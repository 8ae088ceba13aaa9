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
import { isAtOrBelow, withFolder } from '../../../lib/paths.ts';
import { realPathOf } from '../../files/real-path.ts';
import { ownProgramPath } from '../../programs/start/own-program.ts';
import { startSync } from '../../programs/start/start-program.ts';
import { type BytePath, nulList } from '../call/git-path.ts';

/**
 * Has what was copied name the folder that it was copied to where it names the one that it comes from: an environment of Python names
 * its own place and the packages that are developed beside it, a script its interpreter, a build its sources. Programs that see a copy
 * at its own path would else run what lies in the checkout. Files that aren't text stay as they are.
 *
 * @param paths Relative to both folders: with all that lies below them.
 */
export function nameOwnFolder(from: string, to: string, paths: readonly BytePath[]): void {
  const below = nulList(paths);
  const files = printed(to, below, ['find', '"$@" -type f -print0']);
  for (const path of printed(to, nulList(files), ['grep', '-lIZF -e "$FROM" -- "$@"'], from))
    rename(path, from, to);
  for (const path of printed(to, below, ['find', '"$@" -type l -print0'])) lead(path, from, to);
}

/** What a program prints of paths. It fails for single ones, too, such as one that can't be read. */
function printed(
  cwd: string,
  paths: Buffer,
  [program, args]: readonly [string, string],
  from = '',
): BytePath[] {
  const command = ['-0', '-r', '/bin/sh', '-c', `exec "$0" ${args}`, ownProgramPath(program, cwd)];
  const { stdout } = startSync('xargs', command, {
    ...{ cwd, input: paths, stdio: ['pipe', 'pipe', 'ignore'], encoding: 'latin1' },
    ...{ env: { ...process.env, LC_ALL: 'C', FROM: from }, maxBuffer: Number.POSITIVE_INFINITY },
  });
  return (stdout ?? '').split('\0').filter(Boolean) as BytePath[];
}

function rename(path: BytePath, from: string, to: string): void {
  const file = inFolder(to, path);
  const { mode, atime, mtime } = lstatSync(file);
  const text = readFileSync(file, 'latin1');
  const renamed = withFolder(text, latin1(from), latin1(to));
  if (renamed === text) return;
  chmodSync(file, mode | 0o600);
  writeFileSync(file, renamed, 'latin1');
  chmodSync(file, mode);
  // Python compares a time with that of the code that it compiled before; to all others, nothing was built anew.
  if (!path.endsWith('.py')) utimesSync(file, atime, mtime);
}

/** A link out of the copy leads where it led; one to what the copy has leads there. */
function lead(path: BytePath, from: string, to: string): void {
  const link = inFolder(to, path);
  const text = readlinkSync(link);
  const folder = dirname(Buffer.from(path, 'latin1').toString('utf8'));
  if (!isAbsolute(text) && !`${normalize(join(folder, text))}/`.startsWith('../')) return;
  const target = resolve(from, folder, text);
  const place = [target, realPathOf(target)].find((one) => isAtOrBelow(one, from)) ?? target;
  rmSync(link);
  symlinkSync(withFolder(place, from, to), link);
}

function inFolder(folder: string, path: BytePath): Buffer {
  return Buffer.from(`${latin1(folder)}/${path}`, 'latin1');
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
