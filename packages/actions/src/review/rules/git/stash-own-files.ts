import { judgeEffects } from '../../rule.ts';
import { once } from './overwrite-remote.ts';

const WHOLE = /\bgit\s+stash(?:\s+push)?((?:\s+-{1,2}[a-z][a-z-]*)*)(?=\s*(?:$|[;&|\n]))/g;
const BUT_RALPH = "-- ':/' ':(exclude,top).ralph'";

/** ralph's folder is read-only in the box, so a stash with the task list in it can neither finish nor be popped. */
export const stashOwnFiles = judgeEffects(
  {
    name: 'stash_own_files',
    essential: true,
    ruling: 'modify',
    finds:
      "Puts the whole work tree into a stash, ralph's task list with it, in the box, where that is read-only: git would take your files away, fail, and not bring them back.",
    instead: `git stash push ${BUT_RALPH}, or the files by name.`,
  },
  (effect, { action, place }) => {
    if (effect.kind !== 'history' || effect.by !== 'git stash' || effect.instead === null) return null;
    if (!place.tmpdir.own) return null;
    const reason = `"${effect.shown}" would fail halfway, as ralph's task list is read-only.`;
    const rewrite = (command: string) => once(command, WHOLE, `git stash push$1 ${BUT_RALPH}`);
    // A stash that isn't made loses nothing.
    return action.command === null || rewrite(action.command) === null
      ? { reason: `${reason} Instead: ${effect.instead}`, harmless: true }
      : { reason, alternative: effect.instead, rewrite };
  },
);
