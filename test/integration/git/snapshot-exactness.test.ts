/** @module-tag slow */

import { expect, it } from 'vitest';
import { EXACTNESS_SCENARIOS } from '../../helpers/exactness/index.ts';
import { runScenario } from '../../helpers/exactness/run-scenario.ts';
import { TWO_SECONDS } from '../../helpers/snapshot-rounds.ts';
import '../../helpers/repository.ts';

// The heavy scenarios are for the torture run.
it.each(EXACTNESS_SCENARIOS.filter(({ heavy }) => !heavy))(
  'sees exactly what changed: $name',
  async (scenario) => {
    expect(await runScenario(scenario)).toEqual([]);
  },
);

it('there are 32 scenarios and more, each with an id of its own', () => {
  const ids = new Set(EXACTNESS_SCENARIOS.map(({ id }) => id));
  expect(ids.size).toBe(EXACTNESS_SCENARIOS.length);
  expect(ids.size).toBeGreaterThanOrEqual(32);
});

it('sees a nested repository also when it is older than the index', async () => {
  const nested = EXACTNESS_SCENARIOS.filter(({ name }) => name.includes('nested repository'));
  expect(nested.length).toBeGreaterThan(2);
  const wrong = await Promise.all(nested.map((scenario) => runScenario(scenario, TWO_SECONDS)));
  expect(wrong.flat()).toEqual([]);
});
