import { judgeEffects } from '../../rule.ts';
import { once } from '../git/overwrite-remote.ts';

const LOOSE = /\b(npm|pnpm|yarn|bun)\s+(?:install|i)\b[^;&|\n]*/g;

export const frozenInstall = judgeEffects(
  {
    name: 'frozen_install',
    essential: false,
    ruling: 'modify',
    finds: 'Installs packages and leaves the lock file out of it.',
    instead:
      'The install that keeps to the lock file: npm ci, pnpm install --frozen-lockfile, yarn install --immutable.',
  },
  (effect) => {
    if (effect.kind !== 'installs' || effect.instead === null) return null;
    const { instead } = effect;
    return {
      reason: `"${effect.shown}" leaves the lock file out, so that others get other versions.`,
      alternative: instead,
      rewrite: (command) => once(command, LOOSE, instead),
    };
  },
);
