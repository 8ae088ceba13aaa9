import { judgeEffects } from '../../rule.ts';

/** The machine isn't used up. */
export const preventExhaustion = judgeEffects(
  {
    name: 'prevent_exhaustion',
    essential: true,
    ruling: 'deny',
    finds: 'Uses up the machine: functions and processes that start themselves without end.',
    instead: 'Give it an end: a count or a timeout.',
  },
  (effect) =>
    effect.kind === 'exhausts' ? `"${effect.shown}" has no end. Give it one: a count or a timeout.` : null,
);
