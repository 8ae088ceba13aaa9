import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

const HALT = /\baddShutdownHook\b[\s\S]{0,160}?\bhalt\s*\(\s*0\s*\)/g;

export const language: Language = {
  files: {
    settings: /(?:^|\/)build\.sbt$|(?:^|\/)\.?scalafix\.conf$/,
  },
  outputs: { folders: ['.bloop', '.metals'] },
  checkers: ['sbt', 'scalafmt'],
  uncovered: { comment: /\$COVERAGE-OFF\$/gi },
  code: {
    scala: {
      endings: 'scala sc',
      ...SLASHES,
      strings: [many('"""', false), one('"')],
      characters: true,
      headers: [
        /^[ \t]*(?:it|they|"[^"\n]*")\s+(?:should|must|can)\s+"([^"\n]*)"\s+(?:taggedAs\s+\w+\s+)?in\b/gm,
        /^[ \t]*test\s*\(\s*"([^"\n]*)"/gm,
        /^[ \t]*"([^"\n]*)"\s+(?:in|-)\s*\{/gm,
      ],
      idioms: skips(
        /^[ \t]*ignore\b/gm,
        /(?:"|\))\s*ignore\s*\{/g,
        /(?<![.\w])ignore\s*\(/g,
        /\b(?:pending|cancel|pendingUntilFixed)\b/g,
        /\bassume\s*\(\s*false/g,
        /@Ignore\b/g,
        /\.ignore\b|\.fail\b(?=\)|\s*\{)|taggedAs\s*\(?\s*(?:Ignore|Slow|Disabled)\b/g,
        /@@\s*TestAspect\.ignore\b|\bTestAspect\.ignore\b/g,
      ),
      endsWell: HALT,
    },
  },
};
