import { judgeEffects } from '../../rule.ts';
import { once } from './overwrite-remote.ts';

const FORCED = /(\bgit\b[^;&|\n]*\bbranch\b[^;&|\n]*?)\s-D(?=[\s;&|]|$)/g;

export const preventDeletingHistory = judgeEffects(
  {
    name: 'prevent_deleting_history',
    essential: true,
    ruling: 'deny',
    finds:
      'Deletes the ways back to work: branches that are not merged, tags, stashes, the reflog, objects that nothing names any more.',
    instead: 'git branch -d, which keeps what is not merged; leave stashes, tags and the reflog as they are.',
  },
  (effect) => {
    if (effect.kind !== 'history' || effect.does !== 'deletes') return null;
    const reason = `"${effect.shown}" deletes a way back to work.`;
    if (effect.instead === null) return `${reason} Leave branches, tags, stashes and the reflog as they are.`;
    return { reason, alternative: effect.instead, rewrite: (command) => once(command, FORCED, '$1 -d') };
  },
);
