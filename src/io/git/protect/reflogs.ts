import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changeOf, type Keeper, type KeptFile, putBack } from '../../protect/kept-file.ts';
import type { Vault } from '../../protect/vault.ts';
import { replaceFile } from '../../store/files/atomic-file.ts';
import { lstatOrNull, readPlainFile } from '../../store/files/plain-file.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Its log is the list of stashes. */
const STASH = 'logs/refs/stash';

/** The logs of HEAD, branches, tags and the stash; fetching writes those of remote-tracking refs. */
export function captureReflogs({ gitDir, commonDir }: WorkTree, keep: Keeper): KeptFile[] {
  const roots = ['heads', 'tags', 'notes', 'stash'].map((name) => join(commonDir, 'logs', 'refs', name));
  return [join(gitDir, 'logs', 'HEAD'), ...roots.flatMap(filesBelow)]
    .filter((path) => existsSync(path))
    .map((path) => keep(path, 'ref'));
}

/**
 * Puts back logs in whose place something else stands: git writes into them when refs are put back.
 *
 * @returns those logs.
 */
export function clearReflogs(before: readonly KeptFile[], vault: Vault): KeptFile[] {
  return before.filter((log) => {
    const isCleared = log.was.kind === 'file' && log.was.sha256 !== null && isOther(log.path);
    if (isCleared) putBack(log, vault);
    return isCleared;
  });
}

function isOther(path: string): boolean {
  return lstatOrNull(path)?.isFile() === false;
}

/**
 * Brings back what was taken out of logs; what was added since stays behind it. The stash's is put back as it was.
 *
 * @returns the logs that had lost something.
 */
export function restoreReflogs(before: readonly KeptFile[], vault: Vault): KeptFile[] {
  return before.filter((log) => {
    if (log.was.kind !== 'file' || log.was.sha256 === null || changeOf(log) === null) return false;
    const was = vault.read(log.was.sha256);
    const file = readPlainFile(log.path);
    const now = file.kind === 'file' ? file.bytes : Buffer.alloc(0);
    if (log.path.endsWith(STASH) || file.kind === 'other') putBack(log, vault);
    else if (now.subarray(0, was.length).equals(was)) return false;
    else {
      const known = new Set(linesOf(was));
      const added = linesOf(now).filter((line) => !known.has(line));
      mkdirSync(dirname(log.path), { recursive: true });
      replaceFile(log.path, Buffer.from(linesOf(was).concat(added).join(''), 'latin1'), {
        mode: log.was.mode,
      });
    }
    return true;
  });
}

/** Whether an entry of the stash is gone; to be asked before refs are put back, which writes into its log. */
export function hasLostStash(before: readonly KeptFile[], vault: Vault): boolean {
  const log = before.find(({ path }) => path.endsWith(STASH));
  if (log === undefined || log.was.kind !== 'file' || log.was.sha256 === null || changeOf(log) === null)
    return false;
  const file = readPlainFile(log.path);
  const there = new Set(linesOf(file.kind === 'file' ? file.bytes : Buffer.alloc(0)).map(commitIn));
  return linesOf(vault.read(log.was.sha256)).some((line) => !there.has(commitIn(line)));
}

/** The commit that a line leads to: dropping an entry rewrites where the others come from. */
function commitIn(line: string): string {
  return line.split(' ')[1] ?? line;
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function filesBelow(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
