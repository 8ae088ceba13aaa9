import { judgeEffects } from '../../rule.ts';

const FORCED = /(\bgit\b[^;&|\n'"`$]*\bpush\b[^;&|\n'"`$]*?)\s(?:--force|-f)(?=[\s;&|]|$)/g;

export const preventForcePush = judgeEffects(
  {
    name: 'prevent_force_push',
    essential: true,
    ruling: 'deny',
    finds:
      'Overwrites or deletes commits, branches or tags of the remote: git push --force, --mirror, --delete, +REF, and tools that rewrite the whole history.',
    instead: 'git push --force-with-lease, which stops where the remote has commits that you have not seen.',
  },
  (effect) => {
    if (effect.kind !== 'history' || effect.does !== 'overwrites_remote') return null;
    const reason = `"${effect.shown}" overwrites or deletes what others may have pushed.`;
    if (effect.instead === null)
      return `${reason} Push new commits, and leave branches and tags of the remote to the user.`;
    return {
      reason,
      alternative: effect.instead,
      rewrite: (command) => once(command, FORCED, '$1 --force-with-lease'),
    };
  },
);

/** Returns the command with its single match replaced; `null` for several matches, or for words that the shell would expand. */
export function once(command: string, pattern: RegExp, replacement: string): string | null {
  if (/[`$(){}<>\\'"]/.test(command) || [...command.matchAll(pattern)].length !== 1) return null;
  return command.replace(pattern, replacement);
}
