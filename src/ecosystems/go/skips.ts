import { directives, focuses, type Idiom, skips } from '../idiom.ts';

export const GO_SKIPS: readonly Idiom[] = skips(
  /\b(?:t|b|f|tb|s|suite)\.(?:Skip|Skipf|SkipNow|T\(\)\.Skip\w*)\s*\(/g,
  /(?<![\w.])(?:Skip|XIt|XDescribe|PIt|PDescribe|XContext|PContext)\s*\(/g,
).concat(
  focuses(/(?<![\w.])(?:FIt|FDescribe|FContext|FEntry)\s*\(/g),
  directives(/\/\/(?:go:build| ?\+build)\s+[^\n]+/g),
);
