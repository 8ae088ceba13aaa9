import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const DART_SKIPS: readonly Idiom[] = [
  ...skips(
    /\btags\s*:\s*\[?\s*['"](?:skip\w*|disabled|broken|flaky)['"]/g,
    /\bskip\s*:\s*(?!false|null)[\w'"]/g,
    /@Skip\b/g,
    /\bmarkTestSkipped\s*\(/g,
  ),
  ...focuses(/\bsolo\s*:\s*true\b|(?<![.\w])solo_?(?:test|group)\s*\(/gi),
  ...groups(/\btags\s*:\s*\[?\s*['"]NAME/),
];
