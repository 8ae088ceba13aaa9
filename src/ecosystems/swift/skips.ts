import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const SWIFT_SKIPS: readonly Idiom[] = [
  ...skips(
    /\bXCTSkip(?:If|Unless)?\s*\(/g,
    /\.disabled\s*(?:\(|\))|\.enabled\s*\(\s*if:\s*false\b/g,
    /^[ \t]*#if\s+(?:false|NEVER|DISABLED\w*|SKIP\w*)\b/gm,
    /\bwithKnownIssue\b|\bXCTExpectFailure\b/g,
    /(?<![.\w])(?:xit|xdescribe|xcontext|pending)\s*\(/g,
  ),
  ...focuses(/(?<![.\w])(?:fit|fdescribe|fcontext)\s*\(\s*"/g),
  ...groups(/\.tags\s*\([^)\n]*\.NAME/),
];
