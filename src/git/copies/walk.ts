import { TOOL_CACHES } from 'ralph-ecosystems';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { type BytePath, nulList } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';

/** Stamps below paths: `names` has the inode, for hard-linked layers, `content` also size and times. */
export type Walk = ReadonlyMap<BytePath, Seen>;
export type Seen = {
  /** Type letter of `find`: `f`, `d`, `l`, … */
  readonly type: string;
  readonly stamp: string;
};
export type Look = 'names' | 'content';

/** A folder's times change with its contents, which are listed themselves. `names` needs no `stat` per file. */
const PRINTED: Readonly<Record<Look, string>> = {
  names: "-type d -printf 'd - %p\\0' -o -printf '%y %i %p\\0'",
  content: "-type d -printf 'd %m %p\\0' -o -printf '%y %i/%m/%s/%T@/%C@ %p\\0'",
};
/** Renaming a folder of a lower layer fails, and tools rename inside their caches, so copies start without caches. */
const PRUNED = TOOL_CACHES.map((cache) => `-path '*/${cache}'`).join(' -o ');
const FIELDS = /^(\S) (\S+) \.\/(.*)$/s;

/** Lists paths of a work tree as text; `null` when the system's `find` can't print it. */
export function walk({ top }: WorkTree, paths: readonly BytePath[], look: Look): string | null {
  if (paths.length === 0) return '';
  const script = `exec "$0" "$@" \\( ${PRUNED} \\) -prune -o ${PRINTED[look]}`;
  const args = ['-0', '-r', '/bin/sh', '-c', script, ownProgramPath('find', top)];
  const { stdout, error } = startSync('xargs', args, {
    cwd: top,
    stdio: ['pipe', 'pipe', 'ignore'],
    input: nulList(paths.map((path) => `./${path}` as BytePath)),
    encoding: 'latin1',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  // Single files may fail, such as one removed meanwhile.
  return error === undefined && stdout !== '' ? stdout : null;
}

export function parseWalk(text: string): Walk {
  const found = new Map<BytePath, Seen>();
  for (const line of text.split('\0')) {
    const [, type = '', stamp = '', path = ''] = FIELDS.exec(line) ?? [];
    if (path !== '') found.set(path as BytePath, { type, stamp });
  }
  return found;
}

/** Reverses `parseWalk` for wanted paths. */
export function walkText(walk: Walk, isWanted: (path: BytePath) => boolean): string {
  return [...walk]
    .flatMap(([path, { type, stamp }]) => (isWanted(path) ? `${type} ${stamp} ./${path}\0` : []))
    .join('');
}

/** Returns seconds, from a `content` stamp. */
export function writtenAt({ stamp }: Seen): number {
  return Number(stamp.split('/')[3]);
}

/** Returns bytes, from a `content` stamp. */
export function sizeOf({ stamp }: Seen): number {
  return Number(stamp.split('/')[2]);
}
