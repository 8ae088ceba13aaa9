import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const JAVA_SKIPS: readonly Idiom[] = [
  ...skips(
    /@(?:Disabled|Ignore|Ignored)\b(?:\([^)]*\))?/g,
    /@EnabledIf\w*\s*\([^)]*\)|@DisabledIf\w*\s*\([^)]*\)|@DisabledInNativeImage\b/g,
    /\b(?:assumeTrue\s*\(\s*false|assumeFalse\s*\(\s*true|Assumptions\.abort|assumeThat\s*\()/g,
    /\bassum(?:e|ing)(?:True|False|That)?\s*\([^)]*\)/g,
    /\benabled\s*=\s*false\b/g,
    /@Test\s*\(\s*expected\s*=/g,
    /throw\s+new\s+(?:Skip|TestAbort(?:ed)?|AssumptionViolated)\w*Exception/g,
    /@(?:Enabled|Disabled)On(?:Os|OS)\s*\([^)]*\)/g,
  ),
  ...groups(
    /@Tag\s*\(\s*"NAME/,
    /@Category\s*\(\s*\{?\s*(?:\w+\.)*NAME/,
    /@Test\s*\([^)\n]*\bgroups\s*=\s*\{?\s*"NAME/,
  ),
];

export const KOTLIN_SKIPS: readonly Idiom[] = [
  ...JAVA_SKIPS,
  ...skips(
    /(?<![.\w])x(?:test|it|describe|context|should|given|when|then|feature|scenario|expect)\s*\(/g,
    /(?<![\w)\]])"!\s*[^"\n]*"\s*(?:\.config|\{)/g,
    /\.config\s*\([^)]*enabled\s*=\s*false/g,
    /enabledIf\s*=\s*\{\s*false/g,
  ),
  ...focuses(/(?<![\w)\]])"f:[^"\n]*"\s*(?:\.config|\{)/g),
];
