import { judgeEffects } from '../../rule.ts';

/** A script that can't be read is noticed when it runs. */
export const warnUnreadScript = judgeEffects(
  {
    name: 'warn_unread_script',
    essential: false,
    ruling: 'warn',
    finds: 'Runs a script of this attempt that is too long to be read before it runs.',
    instead: 'Split it.',
  },
  (effect) =>
    effect.kind === 'runs_script'
      ? { warn: `"${effect.shown}" is too long to be read before it runs. Split it.` }
      : null,
);
