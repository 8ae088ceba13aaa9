import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { BIN, env, median, programs, ROOT, ROUNDS, repository, run, scratch } from '../tools.mjs';

const ITERATIONS = 1000;

export const report = {
  id: 'report',
  run: async () => {
    const { folder } = repository(10, ITERATIONS / 2);
    const state = join(scratch, 'state-of-report');
    const options = { cwd: folder, env: { ...env, XDG_STATE_HOME: state } };
    // A first run makes the journal and its key.
    run([process.execPath, BIN, 'run', '--quiet', '--max-iterations', '1'], options, [0, 3]);
    const [home] = readdirSync(join(state, 'ralph'));
    const script = join(programs, 'long-run.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'long-run.ts'), script);
    run([process.execPath, script, join(folder, '.ralph'), join(state, 'ralph', home), String(ITERATIONS)]);
    // The list gets the marks that the appended run would have made.
    const list = join(folder, '.ralph', 'PRD.md');
    writeFileSync(list, readFileSync(list, 'utf8').replaceAll('[ ]', '[x]'));
    const shown = JSON.parse(run([process.execPath, BIN, 'report', '--json'], options).stdout);
    if (shown.iterations !== ITERATIONS) throw new Error(`the report is of ${shown.iterations} iterations`);
    if (shown.tasks.done !== ITERATIONS / 2) throw new Error(`${shown.tasks.done} tasks are done`);
    const timed = (argv) => {
      const start = process.hrtime.bigint();
      spawnSync(process.execPath, argv, { ...options, stdio: 'ignore' });
      return Number(process.hrtime.bigint() - start) / 1e6;
    };
    const [ralph, bare] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ralph.push(timed([BIN, 'report']));
      bare.push(timed(['-e', '0']));
    }
    const what = `report on a run of ${ITERATIONS} iterations, to node -e 0`;
    return [{ what, value: median(ralph), baseline: median(bare), unit: 'ms', atMost: 4, rounds: ROUNDS }];
  },
};
