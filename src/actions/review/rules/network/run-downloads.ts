import { judgeEffects } from '../../rule.ts';

/** What comes from the network, or is hidden, isn't run. */
export const preventRunningDownloads = judgeEffects(
  {
    name: 'prevent_running_downloads',
    essential: true,
    ruling: 'deny',
    finds:
      'Runs text that comes from the network or that cannot be read before it runs: curl | sh, decoded or generated commands.',
    instead: 'Save it, read it, and run what you need of it as commands of your own.',
  },
  (effect) => {
    if (effect.kind !== 'runs_text') return null;
    return effect.from === 'download'
      ? 'This runs what comes from the network, unread. Save it to a file, read it, and run what you need of it as commands of your own.'
      : 'This runs text that is only known when the command runs. Write the commands out.';
  },
);
