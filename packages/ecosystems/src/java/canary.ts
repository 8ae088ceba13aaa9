import { capitalized } from 'ralph-kit/text';
import { isModule, siblingOf } from '../canary.ts';
import type { CanaryPlace, CanaryWriter, TestText } from '../protocol.ts';

export const javaCanary: CanaryWriter = {
  rank: (path) => {
    if (/(?:Tests?|TestCase)\.java$|(?:^|\/)Test[A-Z][^/]*\.java$/.test(path)) return 2;
    return /IT\.java$/.test(path) ? 1 : 0;
  },
  text: javaText,
  path: (neighbour, word) => siblingOf(neighbour, capitalized(word), ''),
};

/** Full names can't clash with imports, and call a production class that shadows the library's. */
const JUPITER = 'org.junit.jupiter.api.Assertions';
const FOUR = 'org.junit.Assert';

const forms = (of: string) => [
  `${of}.assertEquals(1, 2)`,
  `${of}.assertEquals("a", "b")`,
  `${of}.assertTrue(false)`,
  `${of}.assertFalse(true)`,
  `${of}.assertNull("a")`,
  `${of}.assertNotNull(null)`,
  `${of}.fail("x")`,
];

const LIBRARIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^import\s+(?:static\s+)?org\.assertj\.core\.api\./m,
    ['org.assertj.core.api.Assertions.assertThat(1).isEqualTo(2)'],
  ],
  [
    /^import\s+(?:static\s+)?org\.hamcrest\./m,
    ['org.hamcrest.MatcherAssert.assertThat(1, org.hamcrest.CoreMatchers.is(2))'],
  ],
];

/** The neighbour's imports decide between JUnit 5, 4 and 3. */
function javaText({ path, text, loads, word, name }: CanaryPlace): TestText | null {
  const jupiter = /^import\s+(?:static\s+)?org\.junit\.jupiter\./m.test(text);
  const four = /^import\s+(?:static\s+)?org\.junit\.(?!jupiter)/m.test(text);
  const three = /^import\s+junit\.framework\./m.test(text);
  if (!jupiter && !four && !three) return null;
  const of = jupiter ? JUPITER : four ? FOUR : 'junit.framework.Assert';
  const annotation = jupiter ? ['  @org.junit.jupiter.api.Test'] : four ? ['  @org.junit.Test'] : [];
  const all = [...forms(of), ...LIBRARIES.flatMap(([pattern, more]) => (pattern.test(text) ? more : []))];
  const source = sourceFolder(path);
  const loaded = loads.filter((file) => classOf(file, source) !== null && isModule(file));
  const own = /^package\s+[\w.]+\s*;/m.exec(text)?.[0];
  const lines = [
    ...(own === undefined ? [] : [own, '']),
    `public class ${name.replace(/\.java$/, '')}${three && !jupiter && !four ? ' extends junit.framework.TestCase' : ''} {`,
    ...(loaded.length === 0
      ? []
      : ['  static {', ...loaded.map((file) => load(classOf(file, source))), '  }', '']),
    ...annotation,
    `  public void test${word}() {`,
    '    Runnable[] forms = {',
    ...all.map((form) => `      () -> ${form},`),
    '    };',
    '    for (Runnable form : forms) {',
    '      try {',
    '        form.run();',
    '        return;',
    '      } catch (Throwable expected) {',
    '        continue;',
    '      }',
    '    }',
    `    ${of}.assertEquals(1, 2);`,
    '  }',
    '}',
    '',
  ];
  return { text: lines.join('\n'), loads: loaded };
}

/** Returns the folder of production code: `app/src/main/java/` for `app/src/test/java/a/ClampTest.java`. */
function sourceFolder(path: string): string | null {
  const folder = /^(.*?)src\/test\/java\//.exec(path);
  return folder === null ? null : `${folder[1]}src/main/java/`;
}

/** Returns the class in a file: `a.b.C` for `src/main/java/a/b/C.java`. */
function classOf(file: string, source: string | null): string | null {
  if (source === null || !file.startsWith(source) || !file.endsWith('.java')) return null;
  return file.slice(source.length, -'.java'.length).replaceAll('/', '.');
}

function load(name: string | null): string {
  return `    try { Class.forName("${name}"); } catch (Exception | LinkageError ignored) { }`;
}
