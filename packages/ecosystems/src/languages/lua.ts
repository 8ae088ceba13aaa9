import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one } from './syntax.ts';

export const language: Language = {
  packages: {
    manifests: /\.rockspec$/,
    locks: [{ file: 'luarocks.lock' }],
    hosts: [[['.luarocks'], ['luarocks.org']]],
  },
  checkers: ['busted', 'luacheck'],
  programs: 'lua luajit luarocks',
  code: {
    lua: {
      endings: 'lua',
      lineComments: ['--'],
      blockComments: [['--[[', ']]']],
      strings: [{ open: '[[', close: ']]', escapes: false, lines: true }, one('"'), one("'")],
      headers: [
        /(?<![.\w])(?:it|spec|test)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g,
        /^[ \t]*(?:local\s+)?function\s+(?:\w+[.:])?(test\w*)\s*\(/gm,
      ],
      idioms: skips(
        /(?<![.\w])pending\s*\(/g,
        /\b(?:lu|luaunit)\.(?:skip(?:If|_if)?|skipIf|runOnlyIf)\s*\(/g,
        /^[ \t]*if\s+false\s+then\b/gm,
        // busted ignores tests whose function begins with `x`.
        /(?<![.\w])x(?:it|describe|context)\s*\(/g,
        // Tags such as `#slow`, which the default run may leave out, are words in a test's name.
        /(?:(?<![.\w])(?:it|describe|context)\s*\(\s*["'][^"'\n]*)#(?:skip\w*|pending|slow|broken|flaky|disabled)\b/g,
      ),
      rewritesOutcome: /\bos\.exit\s*\(\s*(?:0|true)\b/g,
    },
  },
};
