import { judgeEffects } from '../../rule.ts';

/** No shell, and no port of this machine, is given to another one. */
export const preventOpeningShells = judgeEffects(
  {
    name: 'prevent_opening_shells',
    essential: true,
    ruling: 'deny',
    finds: 'Gives a shell or a port of this machine to another one.',
    instead: 'Nothing does the same: leave it to the user.',
  },
  (effect) =>
    effect.kind === 'opens_shell'
      ? `"${effect.shown}" gives another machine a way into this one. Leave that to the user.`
      : null,
);
