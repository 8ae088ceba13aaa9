import { judgeEffects } from '../../rule.ts';

/** Rights of other users aren't taken for long. */
export const preventPrivileges = judgeEffects(
  {
    name: 'prevent_privilege_escalation',
    essential: true,
    ruling: 'deny',
    finds:
      'Gets rights of another user for good: a shell as root, setuid, a new account. A single command with sudo is noticed.',
    instead: 'The same without sudo; what needs it is left to the user.',
  },
  (effect) => {
    if (effect.kind !== 'privileges') return null;
    return effect.how === 'lasting'
      ? `"${effect.shown}" gets rights that stay. Leave that to the user.`
      : { warn: `"${effect.shown}" runs with the rights of another user. Try it without.` };
  },
);
