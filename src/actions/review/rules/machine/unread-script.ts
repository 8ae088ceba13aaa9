import { judgeEffects } from '../../rule.ts';

/** What can't be read before it runs is noticed. */
export const warnUnreadScript = judgeEffects(
  {
    name: 'warn_unread_script',
    essential: false,
    ruling: 'warn',
    finds: "Runs a script or recipe of this attempt that can't be read before it runs.",
    instead: 'Split it, or run its commands directly.',
  },
  (effect) =>
    effect.kind === 'runs_script'
      ? {
          warn: `What "${effect.shown}" runs can't be read before it runs. Split it, or run its commands directly.`,
        }
      : null,
);
