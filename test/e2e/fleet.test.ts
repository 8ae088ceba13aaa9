/** @module-tag rest */

import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../helpers/engines.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

/** Agents and gates begin with this check, because the engine's address may hold a password. */
const NO_ADDRESS = "if (process.env.RALPH_FLEET_URL !== undefined) throw new Error('the address');";
const SHELL_HAS_NONE = 'test -z "$RALPH_FLEET_URL"';

describe.skipIf(!ENGINES[0].isHere)('a fleet', () => {
  const open: (() => Promise<void>)[] = [];
  const make = async (...given: Parameters<typeof fleetProject>) => {
    const fleet = await fleetProject(...given);
    open.push(fleet.server.stop);
    return fleet;
  };
  afterEach(async () => {
    for (const stop of open.splice(0)) await stop();
  });

  it('makes attempts on other machines, and lands each task once', async () => {
    const fleet = await make(named(3), {
      acts: `${NO_ADDRESS} ${OWN_FILE}`,
      together: 2,
      gate: SHELL_HAS_NONE,
    });
    const workers = ['one', 'two'].map((name) => fleet.worker(name, fleet.place()));
    const report = await reportOf(fleet.coordinate());
    expect(report).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    expect(fleet.landed().toSorted()).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
    // The record names the class of its machine, so that times of a slow one apply to its like only.
    const { facts } = fleet.project.iteration(1);
    expect(facts.machine).toMatch(/^\d+ \w+$/);
    expect(fleet.project.ralph('replay').stdout).toContain('0 differences');
    // Tasks that landed have no ref any more; their records have.
    expect(fleet.refs().map((ref) => ref.split('/')[2])).toEqual(['records', 'records', 'records']);
    for (const { child } of workers) child.kill('SIGTERM');
    const ended = await Promise.all(workers.map(({ ended }) => ended));
    expect(ended.map(({ stdout }) => stdout).join('')).toContain('T-3: delivered');
  });

  it('keeps its address from the agents of every run', async () => {
    const fleet = await make(named(1), { acts: `${NO_ADDRESS} ${OWN_FILE}`, gate: SHELL_HAS_NONE });
    expect(fleet.project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  });
});
