import { judgeEffects } from '../../rule.ts';

/** What ralph asks you is answered by you. */
export const preventSelfApproval = judgeEffects(
  {
    name: 'prevent_self_approval',
    essential: true,
    fixed: true,
    ruling: 'deny',
    finds:
      'Answers what ralph asks you, or steers the loop: ralph trust, approve, resume, unblock, run and so on.',
    instead: 'Say in the report what you need.',
  },
  (effect) =>
    effect.kind === 'approves'
      ? `"${effect.shown}" decides what is the user's to decide. Say in your report what you need; ralph status and other commands that only look are fine.`
      : null,
);
