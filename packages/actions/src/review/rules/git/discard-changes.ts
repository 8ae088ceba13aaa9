import { placedPath } from 'ralph-kit/paths';
import { isOwn } from '../../made.ts';
import { judgeEffects } from '../../rule.ts';

export const preventDiscardingChanges = judgeEffects(
  {
    name: 'prevent_discarding_changes',
    essential: true,
    ruling: 'deny',
    finds:
      'Throws changes away that are in no commit: git reset --hard, git checkout -- PATH, git restore, git clean, git switch -f, and the same in other tools.',
    instead: 'Keep them with git stash, and undo your own edits file by file.',
  },
  (effect, { place, placeAt }) => {
    if (effect.kind !== 'history' || effect.does !== 'discards') return null;
    // A worktree that the attempt made has no changes of yours.
    const named = effect.by === 'git worktree' ? (effect.shown.split(' ').at(-1) ?? '') : '';
    if (
      named !== '' &&
      isOwn(
        placedPath(named, place.root, (same) => same, false),
        placeAt(effect),
      )
    )
      return null;
    const instead = effect.instead === null ? 'git stash' : effect.instead;
    // Only changes in a private copy of the work tree are lost, so the denial is a precaution.
    return {
      reason: `"${effect.shown}" throws changes away that are in no commit, and some may be the user's. Undo your own edits file by file, or use: ${instead}.`,
      harmless: true,
    };
  },
);
