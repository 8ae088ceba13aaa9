import { fitsPattern } from 'ralph-kit/paths';
import type { Spot } from '../../../effects/index.ts';
import type { ReviewPlace } from '../../../forms/place.ts';
import { judgeEffects } from '../../rule.ts';

/** Files in `.git` that may be edited by hand: patterns to ignore, texts of messages. */
const WRITABLE =
  /\/\.git\/(?:info\/(?:exclude|sparse-checkout)|\w+_(?:EDITMSG|MSG)|rebase-merge\/|worktrees\/[^/]+\/\w+_MSG)/;
const LOCK = /\/\.git\/(?:[\w/.-]+\/)?[\w.-]+\.lock$/;

export const writeGitFolder = judgeEffects(
  {
    name: 'write_git_folder',
    essential: true,
    ruling: 'deny',
    finds: 'Writes, deletes or changes the rights of files in .git: hooks, settings, branches, objects.',
    instead: 'Use git itself. A lock file that a git process left may be removed when none runs.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'writes' && effect.kind !== 'deletes' && effect.kind !== 'permissions') return null;
    if (effect.by === 'git') return null;
    for (const spot of effect.spots()) {
      const hit = inGit(spot, place);
      if (hit === null) continue;
      if (effect.kind === 'writes' && (WRITABLE.test(hit) || effect.keeps)) continue;
      if (effect.kind === 'deletes' && LOCK.test(hit)) {
        return { warn: `"${effect.shown}" is a lock of git. Remove it only if no git process runs.` };
      }
      return `"${effect.shown}" belongs to what git keeps. Use git itself for changes to branches, settings and hooks, and leave the files in .git alone.`;
    }
    return null;
  },
);

function inGit(spot: Spot, place: ReviewPlace): string | null {
  if (spot.kind === 'path')
    return isGit(spot.path) ? spot.path : isGit(spot.writtenPath) ? spot.writtenPath : null;
  if (spot.kind === 'anywhere') return null;
  if (isGit(spot.folder)) return `${spot.folder}/${spot.pattern}`;
  const [first = '', ...more] = spot.pattern.split('/');
  const hits =
    spot.folder === place.root && first.startsWith('.') && spot.staysInFolder && fitsPattern('.git', first);
  return hits || more.includes('.git') ? `${spot.folder}/.git/` : null;
}

function isGit(path: string): boolean {
  return /\/\.git(?:\/|$)/i.test(path);
}
