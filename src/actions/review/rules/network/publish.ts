import { judgeEffects } from '../../rule.ts';

/** Nothing is put where others get it. */
export const preventPublishing = judgeEffects(
  {
    name: 'prevent_publishing',
    essential: true,
    ruling: 'deny',
    finds: 'Publishes a package, an image, a release or a site, or changes who may.',
    instead: 'A dry run, such as npm publish --dry-run; publishing is left to the user.',
  },
  (effect) =>
    effect.kind === 'publishes'
      ? `"${effect.shown}" publishes something that can't be taken back. Try it with a dry run, and leave publishing to the user.`
      : null,
);
