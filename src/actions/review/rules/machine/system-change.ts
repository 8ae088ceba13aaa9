import { judgeEffects } from '../../rule.ts';

/** The machine stays as it is. */
export const preventSystemChanges = judgeEffects(
  {
    name: 'prevent_system_changes',
    essential: true,
    ruling: 'deny',
    finds:
      'Changes the machine: shuts it down, stops services, changes its firewall, network, users, kernel or mounts.',
    instead: 'Leave it to the user.',
  },
  (effect) =>
    effect.kind === 'system' ? `"${effect.shown}" changes the machine. Leave that to the user.` : null,
);
