import { denyEffects } from '../../rule.ts';

/** No program is left open that takes commands which can't be reviewed. */
export const interactiveShell = denyEffects(
  {
    name: 'interactive_shell',
    essential: true,
    finds: "Leaves a program open that takes typed commands, with an agent whose typing can't be reviewed.",
    instead: 'Give the program its command in one call.',
  },
  (effect, { place }) =>
    effect.kind === 'prompts' && place.unseenInput
      ? `"${effect.shown}" waits for commands that cannot be reviewed when they are typed. Give it the command in one call, as in bash -c '...' or a script file.`
      : null,
);
