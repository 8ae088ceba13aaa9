import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FleetChaos, fleetChaos } from '../../test/helpers/crash/fleet-chaos.ts';
import { HAS_REDIS } from '../../test/helpers/redis.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Of one fleet; the next one has clones and a Redis of its own. */
const JOBS = 20;

export const fleet: Row = {
  id: 'fleet',
  what: 'a fleet of four workers with a lease of 2 s: workers killed and stopped, Redis restarted and wiped, the coordinator killed, one such fault every six seconds',
  target: 'every task lands once, with its work',
  run: async ({ size, progress, random, root, parts }) => {
    if (!HAS_REDIS) return { kind: 'not_run', reason: 'it needs redis-server' };
    const wanted = size(200, 4);
    const all =
      parts === null || !existsSync(parts) ? [] : readFileSync(parts, 'utf8').split('\n').filter(Boolean);
    const done = all.map((line) => JSON.parse(line) as FleetChaos);
    const jobs = () => done.reduce((total, part) => total + part.jobs, 0);
    while (jobs() < wanted) {
      const before = jobs();
      const part = await fleetChaos({
        bin: join(root, 'bin', 'ralph.js'),
        jobs: Math.min(JOBS, wanted - before),
        random,
        onLanded: (landed) => progress(before + landed, wanted),
      });
      done.push(part);
      if (parts !== null) appendFileSync(parts, `${JSON.stringify(part)}\n`);
      removeTemporaryFolders();
    }
    const faults = new Map<string, number>();
    for (const part of done)
      for (const [name, count] of Object.entries(part.faults))
        faults.set(name, (faults.get(name) ?? 0) + count);
    const refused = done.reduce((total, part) => total + part.refused, 0);
    const failures = done.flatMap(({ wrong }, at) => wrong.map((line) => `fleet ${at + 1}: ${line}`));
    const named = [...faults].map(([name, count]) => `${name} ${count}`).join(', ');
    return measured(
      jobs(),
      `${named}; ${refused} lost attempts refused, ${failures.length} findings`,
      failures,
    );
  },
};
