import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FleetChaos, fleetChaos } from '../../test/helpers/crash/fleet-chaos.ts';
import { ENGINES } from '../../test/helpers/engines.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Jobs of one fleet; the next fleet has clones and servers of its own. */
const JOBS = 20;

/** The rows: one for each server that can carry a fleet. */
export const fleets: readonly Row[] = ENGINES.map(({ engine, isHere }) => ({
  id: `fleet-${engine}`,
  what: `a fleet of four workers with a lease of 2 s on ${engine}: machines killed, stopped and cut off, clocks that jump, the server restarted and wiped, one such fault every four seconds`,
  target: 'every task lands once, with its work',
  run: async ({ size, progress, random, root, parts }) => {
    if (!isHere) return { kind: 'not_run', reason: `it needs the server of ${engine}` };
    const wanted = size(200, 4);
    const all =
      parts === null || !existsSync(parts) ? [] : readFileSync(parts, 'utf8').split('\n').filter(Boolean);
    const done = all.map((line) => JSON.parse(line) as FleetChaos).filter((part) => part.engine === engine);
    const jobs = () => done.reduce((total, part) => total + part.jobs, 0);
    // Random numbers that an earlier run of the row used are skipped, so that it doesn't choose the same again.
    for (let at = 0; at < 1000 * done.length; at += 1) random();
    while (jobs() < wanted) {
      const before = jobs();
      const part = await fleetChaos({
        ...{ bin: join(root, 'bin', 'ralph.js'), engine, random },
        jobs: Math.min(JOBS, wanted - before),
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
    const refused = (by: 'remote' | 'worker') => done.reduce((total, part) => total + part.refused[by], 0);
    const untold = done.reduce((total, part) => total + part.untold, 0);
    const failures = done.flatMap(({ wrong }, at) => wrong.map((line) => `fleet ${at + 1}: ${line}`));
    const ends = new Map<string, number>();
    for (const part of done)
      for (const [code, count] of Object.entries(part.ends)) ends.set(code, (ends.get(code) ?? 0) + count);
    const ended = [...ends].map(([code, count]) => `${count} with ${code}`).join(', ');
    const named = [...faults].map(([name, count]) => `${name} ${count}`).join(', ');
    return measured(
      jobs(),
      `${named}; lost attempts refused by the remote ${refused('remote')}, by their worker ${refused('worker')}; landed and not told ${untold}; runs ended ${ended}; ${failures.length} findings`,
      failures,
    );
  },
}));
