import { expect, it } from 'vitest';
import { nearestTests } from '../../../scripts/nearest-tests.mjs';
import { tagLine } from '../../helpers/tags.ts';

const TEXTS = new Map(
  Object.entries({
    'src/lib/a.ts': 'export const a = 1;',
    'src/lib/index.ts': "export { a } from './a.ts';",
    'src/room/b.ts': "import { a } from '../lib/index.ts';",
    'src/room/late.ts': "const { a } = await import('../lib/a.ts');",
    'test/helpers/c.ts': "import '../../src/room/b.ts';",
    'test/unit/near.test.ts': "import { a } from '../../src/lib/a.ts';",
    'test/unit/far.test.ts': "import {\n  c,\n} from '../helpers/c.ts';",
    'test/unit/late.test.ts': "import '../../src/room/late.ts';",
    'test/integration/b.test.ts': "import { b } from '../../src/room/b.ts';",
    'test/e2e/b.test.ts': "import '../helpers/c.ts';",
    'test/e2e/slow.test.ts': `${tagLine('slow')}\n\nimport '../../src/lib/a.ts';`,
    'packages/kit/package.json': JSON.stringify({
      name: 'ralph-kit',
      exports: { './text': './src/text.ts' },
    }),
    'packages/kit/src/text.ts': 'export const text = 1;',
    'packages/kit/src/text.test.ts': "import { text } from './text.ts';",
    'test/unit/kit.test.ts': "import { text } from 'ralph-kit/text';",
    'test/unit/other.test.ts': "import '../../src/lib/other.ts';",
  }),
);

const [NEAR, LATE, FAR] = ['near', 'late', 'far'].map((name) => `test/unit/${name}.test.ts`);
const [INTEGRATION, E2E, SLOW] = [
  'test/integration/b.test.ts',
  'test/e2e/b.test.ts',
  'test/e2e/slow.test.ts',
];

it.each([
  [
    'a module: what loads it, the nearest first',
    ['src/lib/a.ts'],
    60,
    [NEAR, LATE, INTEGRATION, FAR, E2E],
    [SLOW],
  ],
  [
    'a module of a package: what loads it by its entry, too',
    ['packages/kit/src/text.ts'],
    60,
    ['packages/kit/src/text.test.ts', 'test/unit/kit.test.ts'],
    [],
  ],
  ['a helper', ['test/helpers/c.ts'], 60, [FAR, E2E], []],
  ['a test file: itself', ['test/unit/other.test.ts'], 60, ['test/unit/other.test.ts'], []],
  ['a slow one, however much time there is', ['test/e2e/slow.test.ts'], 1e9, [], [SLOW]],
  [
    'little time: what is cheap is run for what is not',
    ['src/lib/a.ts'],
    1.5,
    [NEAR, LATE, FAR],
    [SLOW, INTEGRATION, E2E],
  ],
  ['a document', ['docs/README.md'], 60, [], []],
  ['nothing', [], 60, [], []],
])('of %s', (_, changed, seconds, run, left) => {
  expect(nearestTests(new Set(changed), TEXTS, seconds)).toEqual({ run, left });
});
