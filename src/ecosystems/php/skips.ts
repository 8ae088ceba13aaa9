import { directives, focuses, groups, type Idiom, skips } from '../idiom.ts';

export const PHP_SKIPS: readonly Idiom[] = [
  ...skips(
    /(?:->|::)(?:markTestSkipped|markTestIncomplete)\s*\(/g,
    /->(?:skip|todo|skipOn\w+|fails)\s*\(/g,
    /#\[Group\(\s*["'](?:skip\w*|ignored?|disabled|broken|quarantine|flaky)["']/gi,
    /#\[(?:Requires\w*|Ignore\w*|DoesNotPerformAssertions)\b[^\]]*\]/g,
    /(?<![>\w:$])(?:xit|xtest|xdescribe)\s*\(/g,
  ),
  ...focuses(/\)\s*->only\s*\(/g),
  ...directives(/@(?:requires[ \t]+\S[^\n*]*|doesNotPerformAssertions\b)/g),
  ...groups(/#\[Group\(\s*["']NAME/, /@group[ \t]+NAME/, /->group\s*\(\s*["']NAME/),
];
