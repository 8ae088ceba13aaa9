import { basename, dirname, join } from 'node:path';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { namesIn, plainText } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { knownGitFolders } from '../../../store/index.ts';

export type PageRepository = {
  /** Name of the repository in addresses, from which its folder can't be guessed. */
  readonly id: string;
  /** Absolute top of the work tree. */
  readonly dir: string;
  readonly name: string;
};

/** A repository with a run in so many days is on the page without being named. */
const RECENT_DAYS = 30;
const A_DAY_MS = 24 * 60 * 60_000;
const RUN = /^r-(\d{8})-/;

export function pageRepository(dir: string): PageRepository {
  return { id: sha256(dir).slice(0, 16), dir, name: basename(dir) };
}

/** Returns the work trees with a run in the last 30 days, as far as state homes know their repositories. */
export function recentWorkTrees(now: Date): string[] {
  const since = new Date(now.getTime() - RECENT_DAYS * A_DAY_MS)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '');
  const all = knownGitFolders(homesFolder()).flatMap(workTreesOf);
  return all.filter((top) => (newestRun(top) ?? '') >= since);
}

/** Returns the main work tree of a git folder and its linked ones. */
function workTreesOf(gitFolder: string): string[] {
  const main = basename(gitFolder) === '.git' ? [dirname(gitFolder)] : [];
  const linked = namesIn(join(gitFolder, 'worktrees')).flatMap((name) => {
    const path = plainText(join(gitFolder, 'worktrees', name, 'gitdir'))?.trim() ?? '';
    return path === '' ? [] : [dirname(path)];
  });
  return [...main, ...linked];
}

/** Returns the day of the newest recorded run, as `20300131`; `null`: there is none. */
function newestRun(top: string): string | null {
  const days = namesIn(join(top, '.ralph', 'runs')).flatMap((name) => RUN.exec(name)?.[1] ?? []);
  return days.toSorted().at(-1) ?? null;
}
