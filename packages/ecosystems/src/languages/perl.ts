import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /\.t$/,
    settings: /(?:^|\/)(?:\.proverc|\.perlcriticrc|Makefile\.PL|Build\.PL|dist\.ini)$/,
  },
  packages: {
    manifests: /^cpanfile$/,
    locks: [{ file: 'cpanfile.snapshot' }],
    hosts: [[['cpanfile'], ['cpan.metacpan.org', 'fastapi.metacpan.org']]],
  },
  checkers: ['prove', 'perlcritic'],
  programs: 'perl cpanm carton',
  code: {
    perl: {
      endings: 'pl pm t',
      lineComments: ['#'],
      blockComments: [
        ['\n=pod', '\n=cut'],
        ['\n=head', '\n=cut'],
      ],
      strings: [many('"'), many("'")],
      headers: [/^[ \t]*subtest[ \t(]+(?:"([^"\n]*)"|'([^'\n]*)'|(\w+))/gm, /^[ \t]*sub[ \t]+(test\w*)\b/gm],
      idioms: skips(
        /\bskip_all\b/g,
        // `skip` leaves the enclosing block of this name.
        /^[ \t]*(?:SKIP|TODO)\s*:\s*\{/gm,
        /(?<![\w:>$])(?:skip|todo_skip)\s*(?:\(\s*)?["']/g,
        /\blocal\s+\$(?:\w+::)*TODO\s*=/g,
        /\bBAIL_OUT\s*\(/g,
        /\bdone_testing\s*(?:\(\s*\))?\s*;\s*(?:exit|return)\b/g,
        /->\s*skip_all\s*\(/g,
      ),
      rewritesOutcome: /\bexit\s*\(?\s*0\s*\)?\s*;|\$\?\s*=\s*0\b/g,
    },
  },
};
