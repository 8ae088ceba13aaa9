import { focuses, groups, type Idiom, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

const HALT = /\baddShutdownHook\b[\s\S]{0,160}?\bhalt\s*\(\s*0\s*\)/g;

const JAVA_IDIOMS: readonly Idiom[] = [
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

export const language: Language = {
  files: {
    settings:
      /(?:^|\/)pom\.xml$|\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$|(?:^|\/)\.mvn\/\w+\.config$|(?:^|\/)(?:detekt|checkstyle|pmd|spotbugs|findbugs|ktlint)[\w.-]*\.(?:ya?ml|xml)$/,
  },
  packages: {
    manifests: /^build\.gradle(?:\.kts)?$/,
    locks: [{ file: 'gradle.lockfile' }],
    hosts: [
      [['pom.xml'], ['repo.maven.apache.org']],
      [
        ['build.gradle', 'build.gradle.kts'],
        ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
      ],
    ],
  },
  lists: [
    {
      files: /(?:^|\/)pom\.xml$/,
      idioms: skips(
        /<exclude>[^<]*(?:Tests?|TestCase|IT|Spec)\b[^<]*<\/exclude>/g,
        /<excludedGroups>\s*[^<\s]|<excludesFile>|<(?:it\.)?test>\s*!/g,
      ),
    },
  ],
  outputs: { folders: ['.gradle'] },
  checkers: ['mvn mvnw', 'gradle gradlew', 'surefire', 'ktlint detekt', 'checkstyle', 'spotbugs'],
  programs: 'mvn mvnw gradle gradlew javac',
  asksForTests: [/\bClass\.forName\s*\(\s*"org\.(?:junit|testng)/gi],
  uncovered: { code: /@ExcludeFromJacoco\w*|@(?:lombok\.)?Generated\b(?!\s*\(")/g },
  code: {
    java: {
      endings: 'java groovy',
      ...SLASHES,
      strings: [many('"""'), one('"'), one("'")],
      headers: [
        annotated(
          '@(?:[\\w.]+\\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\\b(?:\\([^)]*\\))?',
        ),
        /^[ \t]*public\s+void\s+(test\w+)\s*\(/gm,
        ...quoted(),
      ],
      idioms: JAVA_IDIOMS,
      rewritesOutcome: /\bSystem\.exit\s*\(\s*0\s*\)|\bRuntime\.getRuntime\(\)\.(?:halt|exit)\s*\(\s*0/g,
      endsWell: HALT,
    },
    kotlin: {
      endings: 'kt kts',
      ...SLASHES,
      strings: [many('"""', false), one('"'), one("'")],
      headers: [
        annotated('@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\\b(?:\\([^)]*\\))?'),
        /(?<![.\w])x?(?:test|it|should|scenario|expect|Then)\s*\(\s*"([^"\n]*)"\s*\)/g,
        ...quoted(),
      ],
      idioms: [
        ...JAVA_IDIOMS,
        ...skips(
          /(?<![.\w])x(?:test|it|describe|context|should|given|when|then|feature|scenario|expect)\s*\(/g,
          /(?<![\w)\]])"!\s*[^"\n]*"\s*(?:\.config|\{)/g,
          /\.config\s*\([^)]*enabled\s*=\s*false/g,
          /enabledIf\s*=\s*\{\s*false/g,
        ),
        ...focuses(/(?<![\w)\]])"f:[^"\n]*"\s*(?:\.config|\{)/g),
      ],
      rewritesOutcome: /\bexitProcess\s*\(\s*0\s*\)|\bSystem\.exit\s*\(\s*0/g,
      endsWell: HALT,
    },
  },
};

/** Matches a method of Java or Kotlin below its annotations. */
function annotated(annotation: string): RegExp {
  const others = '(?:\\s*@[\\w.]+(?:\\([^)]*\\))?)*';
  const words = '(?:(?:public|protected|private|internal|final|static|suspend|open|override|void|fun)\\s+)*';
  return new RegExp(
    `${annotation}${others}\\s*${words}(?:\\w[\\w<>]*\\s+)?(?:\`([^\`\\n]*)\`|(\\w+))\\s*\\(`,
    'g',
  );
}

/** Matches tests of kotest and spock that are named by a string alone. */
function quoted(): RegExp[] {
  return [/^[ \t]*"([^"!\n][^"\n]*)"\s*(?:\.config\([^)]*\)\s*)?\{/gm, /^[ \t]*def[ \t]+"([^"\n]*)"\s*\(/gm];
}
