import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Names of runners that are no words of English. */
const NAMES =
  /vitest|qunit|\buvu\b|tstyche|\bpoku\b|pytest|unittest|nose2|\bstestr|rspec|minitest|phpunit|\bctest|cmocka|doctest|\bgtest|googletest|exunit|\beunit|testthat|tcltest|shunit|fiveam|fpcunit|nextest|junit/i;

/** What still knows a runner by its name outside of its file. No more come in; what forgets it leaves the list. */
const LEFT: readonly string[] = [
  'decide/gates/resolve-gate.ts',
  'domain/test-results.ts',
  'io/git/copies/walk.ts',
  'lib/code/file-role.ts',
  'lib/code/suppressions.ts',
  'lib/scope/tool-outputs.ts',
  'proof/avoidance/change.ts',
  'proof/avoidance/compare/compare.ts',
  'proof/avoidance/signals/bypass.ts',
  'proof/avoidance/signals/disabled-checks.ts',
  'proof/avoidance/signals/gates/lists.ts',
  'proof/avoidance/signals/gates/pipeline.ts',
  'proof/avoidance/signals/gates/steps.ts',
  'proof/avoidance/signals/rows.ts',
  'proof/avoidance/tests/assertions.ts',
  'proof/avoidance/tests/matchers.ts',
  'proof/avoidance/tests/near-helpers.ts',
  'proof/findings/attempt.ts',
  'proof/findings/detectors/goal-drift.ts',
  'tasks/markdown/attributes.ts',
];

it('a runner of tests is named in its own file, and where commands are followed', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const naming = files
    .filter((path) => !/^(?:ecosystems|actions)\//.test(path))
    .filter((path) => NAMES.test(readFileSync(join(SRC, path), 'utf8')));
  expect(naming.toSorted()).toEqual(LEFT);
});
