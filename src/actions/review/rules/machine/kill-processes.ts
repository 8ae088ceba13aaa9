import { judgeEffects } from '../../rule.ts';

/** Processes that aren't the agent's own keep running. */
export const preventBroadKill = judgeEffects(
  {
    name: 'prevent_broad_kill',
    essential: true,
    ruling: 'deny',
    finds:
      'Ends processes by a name that many share, or all of them. A name of your own is noticed; a number is fine.',
    instead: 'End the process that you started, by its number.',
  },
  (effect) => {
    if (effect.kind !== 'processes') return null;
    if (effect.which === 'all') {
      return `"${effect.shown}" ends processes that aren't yours as well. Keep the number of what you start ($!), and end it by that.`;
    }
    return effect.which === 'name'
      ? {
          warn: `"${effect.shown}" ends all processes that are called so. A process that you started is ended by its number.`,
        }
      : null;
  },
);
