import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { findHome } from '../../store/index.ts';

/**
 * Returns ralph's folder for a repository, `$XDG_STATE_HOME/ralph/REPO-ID`. The id is stored in the git folder that all
 * work trees share, so a moved repository keeps its folder.
 */
export function homeOf(commonDir: string) {
  return findHome(commonDir, homesFolder());
}

/**
 * Returns why `XDG_STATE_HOME` can't be used; `null`: it can. The XDG specification says that a relative path is
 * ignored.
 */
export function stateHomeProblem(): string | null {
  const xdg = process.env.XDG_STATE_HOME ?? '';
  if (!isAbsolute(xdg)) return null;
  let place = xdg;
  while (!existsSync(place)) place = dirname(place);
  return statSync(place).isDirectory()
    ? null
    : `XDG_STATE_HOME is ${JSON.stringify(xdg)}, and ${place} isn't a folder.`;
}

/** Returns the path of the state home without making it. */
export function stateHomeOf(commonDir: string): string {
  return homeOf(commonDir).path;
}

/** Returns the name of a work tree in the state home: `main`, or `worktrees/NAME` for a linked one. */
export function placeOf({
  gitDir,
  commonDir,
}: {
  readonly gitDir: string;
  readonly commonDir: string;
}): string {
  return gitDir === commonDir ? 'main' : join('worktrees', basename(gitDir));
}
