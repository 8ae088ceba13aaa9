import { judgeEffects } from '../../rule.ts';

/** Nothing runs later than the attempt. */
export const preventScheduling = judgeEffects(
  {
    name: 'prevent_scheduling',
    essential: true,
    ruling: 'deny',
    finds:
      'Has something run later or outside of the attempt: crontab, at, systemd-run, services that start automatically.',
    instead: 'Run it now; put what has to run later into the repository, for the user to install.',
  },
  (effect) =>
    effect.kind === 'schedules'
      ? `"${effect.shown}" has something run outside of this attempt. Run it now, or leave it to the user.`
      : null,
);
