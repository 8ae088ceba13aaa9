import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one } from './syntax.ts';

export const language: Language = {
  files: { settings: /(?:^|\/)build\.zig(?:\.zon)?$/ },
  programs: 'zig',
  outputs: { folders: ['.zig-cache', 'zig-cache', 'zig-out'] },
  code: {
    zig: {
      endings: 'zig',
      lineComments: ['//'],
      blockComments: [],
      strings: [one('"')],
      characters: true,
      headers: [/^[ \t]*test\s+(?:"([^"\n]*)"|(\w+))\s*\{/gm],
      idioms: skips(/\berror\.SkipZigTest\b/g, /^[ \t]*if\s*\(\s*(?:true|false)\s*\)\s*(?:return|\{)/gm),
      rewritesOutcome: /\b(?:std\.)?(?:process|posix|os)\.exit\s*\(\s*0\s*\)/g,
    },
  },
};
