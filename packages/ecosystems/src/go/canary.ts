import { capitalized } from 'ralph-kit/text';
import type { CanaryPlace, CanaryWriter, TestText } from '../protocol.ts';

export const goCanary: CanaryWriter = { rank: (path) => (path.endsWith('_test.go') ? 2 : 0), text: goText };

const TESTIFY = 'github.com/stretchr/testify';

/** The test is in the neighbour's package, so it is built with that production code. */
function goText({ path, text, loads, word }: CanaryPlace): TestText | null {
  const name = /^package\s+(\w+)/m.exec(text)?.[1];
  if (name === undefined) return null;
  const constraint = /^\/\/go:build .*$/m.exec(text)?.[0];
  const libraries = ['assert', 'require'].filter((one) => text.includes(`"${TESTIFY}/${one}"`));
  const test = `Test${capitalized(word)}`;
  const lines = [
    ...(constraint === undefined ? [] : [constraint, '']),
    `package ${name}`,
    '',
    'import (',
    '\t"testing"',
    ...libraries.map((one) => `\n\t${word}${one} "${TESTIFY}/${one}"`),
    ')',
    '',
    ...(libraries.length === 0 ? [] : recorder(word)),
    `func ${test}(t *testing.T) {`,
    ...libraries.flatMap((one) => checks(word, one)),
    '\tt.Fatal("1 is not 2")',
    '}',
    '',
  ];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const inPackage = loads.filter(
    (file) => file.endsWith('.go') && file.slice(0, file.lastIndexOf('/') + 1) === folder,
  );
  return { text: lines.join('\n'), loads: inPackage };
}

/** The recorder replaces `*testing.T`, whose failures can't be undone. */
function recorder(word: string): string[] {
  return [
    `type ${word}T struct{ failed bool }`,
    '',
    `func (t *${word}T) Errorf(format string, args ...interface{}) { t.failed = true }`,
    `func (t *${word}T) FailNow()                                  { t.failed = true }`,
    '',
  ];
}

function checks(word: string, library: string): string[] {
  const forms = [
    'Equal(t, 1, 2)',
    'NotEqual(t, 1, 1)',
    'True(t, false)',
    'False(t, true)',
    'Nil(t, t)',
    'Error(t, nil)',
    'Len(t, []int{1}, 2)',
    'Contains(t, "a", "b")',
    'Fail(t, "x")',
  ];
  return [
    `\tfor _, form := range []func(t *${word}T){`,
    ...forms.map((form) => `\t\tfunc(t *${word}T) { ${word}${library}.${form} },`),
    '\t} {',
    `\t\tone := &${word}T{}`,
    '\t\tform(one)',
    '\t\tif !one.failed {',
    '\t\t\treturn',
    '\t\t}',
    '\t}',
  ];
}
