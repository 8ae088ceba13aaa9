import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many } from './syntax.ts';

export const language: Language = {
  files: { tests: /(?:^|\/)test\/(?:.*\/)?[^/]+\.jl$/ },
  packages: {
    manifests: /^Project\.toml$/,
    locks: [{ file: 'Manifest.toml' }],
    hosts: [[['Project.toml'], ['pkg.julialang.org', 'storage.julialang.net']]],
  },
  programs: 'julia',
  code: {
    julia: {
      endings: 'jl',
      lineComments: ['#'],
      blockComments: [['#=', '=#']],
      strings: [many('"'.repeat(3)), many('"')],
      characters: true,
      headers: [/@testset\s+(?:\w+\s+)*"([^"\n]*)"/g],
      idioms: skips(
        /@test_(?:skip|broken)\b/g,
        /@test\b[^\n]*\b(?:skip|broken)\s*=\s*(?!false\b)\w/g,
        /^[ \t]*(?:if\s+false\b|false\s*&&)/gm,
      ),
      rewritesOutcome: /\bexit\s*\(\s*0?\s*\)/g,
    },
  },
};
