import { groups, type Idiom, skips } from '../idiom.ts';

export const SHELL_SKIPS: readonly Idiom[] = skips(/^[ \t]*skip\b/gm, /^[ \t]*startSkipping\b/gm).concat(
  groups(/bats test_tags=\S*NAME/),
);
