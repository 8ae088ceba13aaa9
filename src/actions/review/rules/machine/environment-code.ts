import { judgeEffects } from '../../rule.ts';

/** Variables don't smuggle code into other programs. */
export const preventEnvironmentCode = judgeEffects(
  {
    name: 'prevent_environment_code',
    essential: true,
    ruling: 'deny',
    finds:
      'Sets a variable by which other programs load code: LD_PRELOAD, NODE_OPTIONS=--require, BASH_ENV, PYTHONSTARTUP and so on.',
    instead: 'Run the code by name.',
  },
  (effect) =>
    effect.kind === 'environment'
      ? `"${effect.shown}" has a program run code besides its own. Run the code by its name.`
      : null,
);
