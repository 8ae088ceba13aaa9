import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TAGS, tagLine, tagOf, testFiles } from '../helpers/tags.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Kinds of tests that `vitest.config.ts` runs without a tag, so that a tag moves a file out of one of them. */
const KINDS = /^(?:test\/(?:unit|integration|e2e)|packages\/[a-z-]+)\//;
const WORD = ['@module', 'tag'].join('-');

/** The reason why the tag of a test file isn't read as it was meant; `null`: it is read, or there is none. */
function faultIn(path: string, text: string): string | null {
  const count = text.split(WORD).length - 1;
  if (count === 0) return null;
  const tag = tagOf(text);
  if (tag === null || count > 1) return `one of ${TAGS.map(({ name }) => tagLine(name))} is the first line`;
  if (!text.startsWith(`${tagLine(tag)}\n\n`))
    return 'an empty line keeps the tag from moving with an import';
  return KINDS.test(path) ? null : 'files of this folder have no tag';
}

it('a test file has no tag, or one on its first line', () => {
  const faults = testFiles(ROOT).flatMap((path) => {
    const fault = faultIn(path, readFileSync(join(ROOT, path), 'utf8'));
    return fault === null ? [] : [`${path}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

const SLOW = tagLine('slow');
it.each([
  ['test/unit/a.test.ts', "import 'vitest';\n", null, null],
  ['test/unit/a.test.ts', `${SLOW}\n\nimport 'vitest';\n`, 'slow', null],
  ['test/e2e/a.test.ts', `${tagLine('installs')}\n\nimport 'vitest';\n`, 'installs', null],
  ['test/e2e/a.test.ts', `${SLOW}\nimport 'vitest';\n`, 'slow', /empty line/],
  ['test/architecture/a.test.ts', `${SLOW}\n\nimport 'vitest';\n`, 'slow', /folder/],
  ['test/unit/a.test.ts', `import 'vitest';\n${SLOW}\n`, null, /first line/],
  ['test/unit/a.test.ts', `${SLOW}\n\n${SLOW}\n`, 'slow', /first line/],
  ['test/unit/a.test.ts', `// ${WORD} slow\n\n`, null, /first line/],
  ['test/unit/a.test.ts', `/** ${WORD} slower */\n\n`, null, /first line/],
])('%s with %j has the tag %j', (path, text, tag, fault) => {
  expect(tagOf(text)).toBe(tag);
  const found = faultIn(path, text);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});
