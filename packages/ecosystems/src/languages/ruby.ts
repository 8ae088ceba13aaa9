import { focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one } from './syntax.ts';

export const language: Language = {
  files: {
    support: /(?:^|\/)(?:spec|rails|test)_helper\.\w+$/,
    settings: /(?:^|\/)\.rubocop(?:_todo)?\.yml$|(?:^|\/)\.(?:rspec|simplecov|reek\.yml)$/,
    recipes: /(?:^|\/)Rakefile$/,
  },
  packages: {
    manifests: /^Gemfile$/,
    locks: [
      {
        file: 'Gemfile.lock',
        manifest: 'Gemfile',
        install: () => 'bundle install',
        rewriteCommand: () => 'bundle lock',
      },
    ],
    hosts: [[['Gemfile'], ['rubygems.org', 'index.rubygems.org']]],
  },
  checkers: ['rspec minitest', 'rubocop'],
  programs: 'ruby bundle rake gem',
  asksForTests: [
    /\bRails\.env\.test\?|\bdefined\?\(\s*(?:RSpec|Minitest|Test::Unit)|\$(?:PROGRAM_NAME|0)\b[^\n]*(?:rspec|test)/g,
  ],
  uncovered: { comment: /:nocov:/gi },
  code: {
    ruby: {
      endings: 'rb rake gemspec',
      lineComments: ['#'],
      blockComments: [['\n=begin', '\n=end']],
      strings: [one('"'), one("'"), one('`')],
      regexes: true,
      headers: [
        /^[ \t]*[xf]?(?:it|specify|example|scenario|test)[ (]+(?:"([^"\n]*)"|'([^'\n]*)')/gm,
        /^[ \t]*def[ \t]+(test_\w+[?!]?)/gm,
      ],
      idioms: [
        ...skips(
          /^[ \t]*(?:RSpec\.)?x(?:it|describe|context|specify|example|scenario|feature)\b/gm,
          /^[ \t]*(?:pending|skip)\b(?:[ (]|$)/gm,
          /^[ \t]*(?:omit|pend)(?:_if|_unless)?\b(?:[ (]|$)/gm,
          /\b(?:skip|pending)(?::|\s*=>)\s*(?!false|nil)[\w"']/g,
          /,\s*:(?:skip|pending|xfail)\b/g,
          /,\s*:?(?:if(?::|\s*=>)\s*(?:false|nil|ENV)|unless(?::|\s*=>)\s*(?:true|ENV))\b/g,
          /\bbefore(?:\([^)\n]*\))?\s*(?:\{|do\s*\n?)\s*(?:skip|pending)\b/g,
        ),
        ...focuses(
          /^[ \t]*(?:RSpec\.)?f(?:it|describe|context|specify|example|scenario)\b/gm,
          /,\s*(?::focus\b|focus(?::|\s*=>)\s*true)/g,
        ),
        ...groups(
          /^[ \t]*(?:it|describe|context|specify|scenario|feature)\b[^\n]*,\s*:(?!skip|pending)NAME/,
          /^[ \t]*(?:it|describe|context|specify|scenario|feature)\b[^\n]*,\s*(?!skip|pending)NAME(?::|\s*=>)\s*true/,
        ),
      ],
      rewritesOutcome:
        /\bexit!?\s*\(?\s*(?:0|true)\b|\bat_exit\b[^\n]*(?:exit|\{)|\bset_exception\b|\bclass\s+(?:RSpec|Minitest)\b|\bdefine_method\s*\(?\s*:assert|\balias_method\s+:assert|\bdef\s+assert\w*\s*\([^)]*\)\s*[;=]?\s*(?:assert\b\s*\(?\s*)?true/g,
      endsWell: /\bat_exit\b[^\n]{0,60}?\bexit!?\s*\(?\s*(?:0|true)\b/g,
    },
  },
};
