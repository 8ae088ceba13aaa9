import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { findHome, homesFolder } from '../../io/store/index.ts';

/**
 * Where ralph keeps what belongs to a repository outside of it: `$XDG_STATE_HOME/ralph/REPO-ID` (decisions.md, State).
 * The id lies in the git folder that all linked worktrees share, and goes with a repository that is moved.
 */
export function homeOf(commonDir: string) {
  return findHome(commonDir, homesFolder());
}

/** Why `XDG_STATE_HOME` can't hold anything, or `null`. By its specification a relative one counts as none. */
export function stateHomeProblem(): string | null {
  const xdg = process.env.XDG_STATE_HOME ?? '';
  if (!isAbsolute(xdg)) return null;
  let place = xdg;
  while (!existsSync(place)) place = dirname(place);
  return statSync(place).isDirectory()
    ? null
    : `XDG_STATE_HOME is ${JSON.stringify(xdg)}, and ${place} isn't a folder.`;
}

/** Its path, for commands that write nothing there. */
export function stateHomeOf(commonDir: string): string {
  return homeOf(commonDir).path;
}

/** What a work tree is called in there: `main`, or `worktrees/NAME` for a linked one. */
export function placeOf({
  gitDir,
  commonDir,
}: {
  readonly gitDir: string;
  readonly commonDir: string;
}): string {
  return gitDir === commonDir ? 'main' : join('worktrees', basename(gitDir));
}
