import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { HASH, many } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /(?:^|\/)tests\/testthat\/test[^/]*\.[rR]$|(?:^|\/)test-[^/]+\.[rR]$/,
    support: /(?:^|\/)tests\/testthat\.[rR]$|(?:^|\/)testthat\/(?:setup|helper|teardown)[^/]*\.[rR]$/,
    settings: /(?:^|\/)(?:DESCRIPTION|\.lintr|\.Rbuildignore)$/,
  },
  packages: { manifests: null, locks: [{ file: 'renv.lock' }], hosts: [] },
  checkers: ['testthat', 'devtools'],
  programs: 'R Rscript',
  uncovered: { comment: /\bnocov\b/gi },
  code: {
    r: {
      endings: 'r',
      ...HASH,
      strings: [many('"'), many("'")],
      headers: [/(?<![.\w])(?:test_that|it)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g],
      idioms: skips(
        /(?<![.\w])(?:testthat::)?skip(?:_if(?:_not(?:_installed)?|_offline)?|_unless_r|_on_(?:cran|ci|covr|os|bioc)|_if_translated)?\s*\(/g,
        /^[ \t]*if\s*\(\s*(?:FALSE|F)\s*\)/gm,
      ),
      rewritesOutcome: /\b(?:q|quit)\s*\([^)\n]*\bstatus\s*=\s*0\b/g,
    },
  },
};
