import { judgeEffects } from '../../rule.ts';
import { once } from './overwrite-remote.ts';

const SKIPPED = /(\bgit\b[^;&|\n]*?)\s--no-verify(?=[\s;&|]|$)/g;

export const preventBypassingChecks = judgeEffects(
  {
    name: 'prevent_bypassing_checks',
    essential: true,
    ruling: 'deny',
    finds:
      'Goes around a check: --no-verify, another folder for hooks, variables that switch hooks off, settings by which git runs programs, protection of branches.',
    instead: 'The same without it; fix what the hook finds.',
  },
  (effect) => {
    if (effect.kind !== 'disables') return null;
    const reason = `"${effect.shown}" goes around a check that is there on purpose.`;
    if (effect.what === 'protection') return `${reason} Leave that to the user.`;
    return {
      reason,
      alternative: 'the same command without it; fix what the hook finds',
      rewrite: (command) => once(command, SKIPPED, '$1'),
    };
  },
);
