import { focuses, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one } from './syntax.ts';

export const language: Language = {
  files: { settings: /\.cabal$|(?:^|\/)(?:stack\.yaml|cabal\.project|\.hlint\.yaml)$/ },
  packages: {
    manifests: /^package\.yaml$/,
    locks: [{ file: 'stack.yaml.lock' }, { file: 'cabal.project.freeze' }],
    hosts: [],
  },
  checkers: ['hlint'],
  programs: 'cabal stack ghc',
  outputs: { folders: ['.stack-work', 'dist-newstyle'] },
  code: {
    haskell: {
      endings: 'hs',
      lineComments: ['--'],
      blockComments: [['{-', '-}']],
      strings: [one('"')],
      characters: true,
      headers: [
        /(?<![.\w'])[xf]?(?:it|specify|prop|xprop|fprop)\s+"([^"\n]*)"/g,
        /(?<![.\w'])test(?:Case|Property|CaseSteps)\s+"([^"\n]*)"/g,
      ],
      idioms: [
        ...skips(
          /(?<![.\w'])x(?:it|describe|context|specify|prop)\b/g,
          /(?<![.\w'])pending(?:With)?\b/g,
          /(?<![.\w'])(?:ignoreTest(?:Because)?|expectFail(?:Because)?)\b/g,
        ),
        ...focuses(/(?<![.\w'])f(?:it|describe|context|specify|prop)\b/g, /(?<![.\w'])focus\s+(?:\$|\()/g),
      ],
      rewritesOutcome: /\bexitSuccess\b/g,
    },
  },
};
