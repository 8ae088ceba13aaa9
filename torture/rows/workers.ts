import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WorkersKilled, workersKills } from '../../test/helpers/crash/workers-kill.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

const KILLS_PER_REPOSITORY = 25;
/** Number of honest results for each one that gates which fail by chance may send back. */
const RESULTS_PER_EVICTION = 300;

export const workers: Row = {
  id: 'workers',
  what: '`kill -9` at random moments of a run of four workers, each second time with all that it started, a gate that fails one time in ten, conflicts, and a user at work in the checkout',
  target:
    'every task lands once, behind what it needs, with its work; no commit is red; nothing of the user changes; at most one honest result in 300 is sent back by chance',
  run: async ({ size, progress, random, root, parts }) => {
    if (process.platform !== 'linux') return { kind: 'not_run', reason: 'it needs Linux' };
    const wanted = size(300, 2);
    const all =
      parts === null || !existsSync(parts) ? [] : readFileSync(parts, 'utf8').split('\n').filter(Boolean);
    const done = all.map((line) => JSON.parse(line) as WorkersKilled);
    const sum = (of: (part: WorkersKilled) => number) => done.reduce((total, part) => total + of(part), 0);
    for (let kills = sum((part) => part.kills); kills < wanted; kills = sum((part) => part.kills)) {
      const part = await workersKills({
        bin: join(root, 'bin', 'ralph.js'),
        kills: Math.min(KILLS_PER_REPOSITORY, wanted - kills),
        random,
        onKill: (wrong) => {
          kills += 1;
          progress(kills, wanted, `${wrong} findings`);
        },
      });
      done.push(part);
      if (parts !== null) appendFileSync(parts, `${JSON.stringify(part)}\n`);
      removeTemporaryFolders();
      if (part.kills === 0) break;
    }
    const [results, evicted] = [sum((part) => part.results), sum((part) => part.evicted)];
    const failures = done.flatMap(({ wrong }, at) => wrong.map((line) => `repository ${at + 1}, ${line}`));
    if (evicted > Math.ceil(results / RESULTS_PER_EVICTION))
      failures.push(`${evicted} of ${results} honest results were sent back`);
    return measured(
      sum((part) => part.kills),
      `${results} results, ${sum((part) => part.conflicts)} conflicts, ${evicted} sent back by chance, ${failures.length} findings`,
      failures,
    );
  },
};
