import { TOOL_CACHES } from '../../../ecosystems/index.ts';
import { ownProgramPath } from '../../programs/start/own-program.ts';
import { startSync } from '../../programs/start/start-program.ts';
import { type BytePath, nulList } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';

/**
 * Files and folders below some paths, with what says whether one is another than before: `names`, the inode alone, for files of which a
 * layer has second names; `content`, its size and times as well.
 */
export type Walk = ReadonlyMap<BytePath, Seen>;
export type Seen = {
  /** As `find` names it: `f`, `d`, `l`, … */
  readonly type: string;
  readonly stamp: string;
};
export type Look = 'names' | 'content';

/** A folder's own times change with what is written into it, and each of that is seen by itself. No inode of a file needs a look at it. */
const PRINTED: Readonly<Record<Look, string>> = {
  names: "-type d -printf 'd - %p\\0' -o -printf '%y %i %p\\0'",
  content: "-type d -printf 'd %m %p\\0' -o -printf '%y %i/%m/%s/%T@/%C@ %p\\0'",
};
/** Renaming a folder of a lower layer fails, and tools rename in their own caches: copies begin without them. */
const PRUNED = TOOL_CACHES.map((cache) => `-path '*/${cache}'`).join(' -o ');
const FIELDS = /^(\S) (\S+) \.\/(.*)$/s;

/** One look at what lies at and below paths of a work tree, as text; `null`: this system has no `find` that prints it. */
export function walk({ top }: WorkTree, paths: readonly BytePath[], look: Look): string | null {
  if (paths.length === 0) return '';
  const script = `exec "$0" "$@" \\( ${PRUNED} \\) -prune -o ${PRINTED[look]}`;
  const args = ['-0', '-r', '/bin/sh', '-c', script, ownProgramPath('find', top)];
  const { stdout, error } = startSync('xargs', args, {
    ...{
      cwd: top,
      stdio: ['pipe', 'pipe', 'ignore'],
      input: nulList(paths.map((path) => `./${path}` as BytePath)),
    },
    ...{ encoding: 'latin1', maxBuffer: Number.POSITIVE_INFINITY },
  });
  // It fails for single files, too, such as one that was removed meanwhile.
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

/** The way back from `parseWalk`, for some paths. */
export function walkText(walk: Walk, isWanted: (path: BytePath) => boolean): string {
  return [...walk]
    .flatMap(([path, { type, stamp }]) => (isWanted(path) ? `${type} ${stamp} ./${path}\0` : []))
    .join('');
}

/** Of a `content` stamp: when the file was written, in seconds. */
export function writtenAt({ stamp }: Seen): number {
  return Number(stamp.split('/')[3]);
}

/** Of a `content` stamp, in bytes. */
export function sizeOf({ stamp }: Seen): number {
  return Number(stamp.split('/')[2]);
}
