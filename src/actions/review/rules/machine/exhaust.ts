import { judgeEffects } from '../../rule.ts';

/** The machine isn't used up. */
export const preventExhaustion = judgeEffects(
  {
    name: 'prevent_exhaustion',
    essential: true,
    ruling: 'deny',
    finds: 'Uses up the machine: functions that start themselves without end, files without end.',
    instead: 'Give it an end: a count, a size, a timeout.',
  },
  (effect) =>
    effect.kind === 'exhausts'
      ? `"${effect.shown}" has no end. Give it one: a count, a size, a timeout.`
      : null,
);
