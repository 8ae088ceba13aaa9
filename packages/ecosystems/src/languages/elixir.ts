import { focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { HASH, many, one, TRIPLE } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /_tests?\.exs?$/,
    support: /(?:^|\/)test_helper\.exs$/,
    settings: /(?:^|\/)(?:mix|\.credo|coveralls)\.(?:exs|json)$/,
  },
  packages: {
    manifests: /^mix\.exs$/,
    locks: [
      {
        file: 'mix.lock',
        manifest: 'mix.exs',
        install: () => 'mix deps.get',
        rewriteCommand: () => 'mix deps.get',
      },
    ],
    hosts: [[['mix.exs'], ['repo.hex.pm', 'builds.hex.pm']]],
  },
  checkers: ['mix', 'credo', 'dialyzer'],
  programs: 'mix',
  asksForTests: [/\bMix\.env\(\)\s*==\s*:test|\bCode\.ensure_loaded\?\(\s*ExUnit/g],
  uncovered: { comment: /\bcoveralls-ignore/gi },
  code: {
    elixir: {
      endings: 'ex exs',
      ...HASH,
      strings: [...TRIPLE, many('"'), one("'")],
      headers: [/^[ \t]*(?:test|property)[ (]+"([^"\n]*)"/gm],
      idioms: [
        ...skips(
          /@(?:module|describe)?tag\s+:?(?:skip|pending|ignore)\b/g,
          /@(?:module|describe)?tag\s+\[?\s*skip:/g,
          /@(?:module|describe)?tag\s+(?:exclude|disabled)/g,
        ),
        ...focuses(/@(?:module|describe)?tag\s+:?focus\b/g),
        ...groups(/@(?:module|describe)?tag\s+:?(?!skip|pending|ignore|exclude|disabled)NAME/),
      ],
      rewritesOutcome: /\bSystem\.(?:halt|stop)\s*\(\s*0/g,
    },
  },
};
