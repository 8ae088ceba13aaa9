import { join } from 'node:path';
import { hostileKills } from '../../test/helpers/crash/hostile-kill.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

const KILLS_PER_REPOSITORY = 25;

export const hostileKill: Row = {
  id: 'hostile-kill',
  what: '`kill -9` with an agent that ticks, softens settings and forges records',
  target: 'no task done without a verdict, nothing softened',
  run: async ({ size, progress, random, root }) => {
    const wanted = size(100, 3);
    const failures: string[] = [];
    let kills = 0;
    while (kills < wanted) {
      const done = await hostileKills({
        bin: join(root, 'bin', 'ralph.js'),
        kills: Math.min(KILLS_PER_REPOSITORY, wanted - kills),
        random,
        onKill: () => {
          kills += 1;
          progress(kills, wanted, `${failures.length} findings`);
        },
      });
      failures.push(...done.wrong);
      removeTemporaryFolders();
      if (done.wrong.length > 0 && done.kills === 0) break;
    }
    return measured(kills, `${failures.length} findings`, failures);
  },
};
