import { type Idiom, skips } from '../idiom.ts';

export const SCALA_SKIPS: readonly Idiom[] = skips(
  /^[ \t]*ignore\b/gm,
  /(?:"|\))\s*ignore\s*\{/g,
  /(?<![.\w])ignore\s*\(/g,
  /\b(?:pending|cancel|pendingUntilFixed)\b/g,
  /\bassume\s*\(\s*false/g,
  /@Ignore\b/g,
  /\.ignore\b|\.fail\b(?=\)|\s*\{)|taggedAs\s*\(?\s*(?:Ignore|Slow|Disabled)\b/g,
  /@@\s*TestAspect\.ignore\b|\bTestAspect\.ignore\b/g,
);
