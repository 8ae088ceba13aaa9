import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const RUBY_SKIPS: readonly Idiom[] = [
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
];
