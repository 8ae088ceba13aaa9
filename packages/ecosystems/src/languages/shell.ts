import { groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { HASH, many } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /\.bats$/,
  },
  checkers: ['bats', 'shellcheck'],
  variables: ['BATS_\\w+'],
  uncovered: { comment: /\bkcov-(?:skip|ignore)/gi },
  code: {
    shell: {
      endings: 'sh bash zsh bats ksh fish',
      ...HASH,
      strings: [many('"'), many("'", false)],
      headers: [/^[ \t]*@test[ \t]+(?:"([^"\n]*)"|'([^'\n]*)')/gm],
      idioms: skips(/^[ \t]*skip\b/gm, /^[ \t]*startSkipping\b/gm).concat(groups(/bats test_tags=\S*NAME/)),
      rewritesOutcome: /^[ \t]*exit[ \t]+0\b/gm,
    },
  },
};
