import { join } from 'node:path';
import { killLoop as killLoopOf } from '../../test/helpers/crash/kill-loop.ts';
import { LOOP_KINDS } from '../../test/helpers/crash/loop-project.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

const KILLS_PER_REPOSITORY = 25;

export const killLoop: Row = {
  id: 'kill-loop',
  what: '`kill -9` at random moments of a running loop',
  target:
    'no torn file, no acknowledged event lost, nothing of the user changed, none alive, the next run continues',
  run: async ({ size, progress, random, root }) => {
    if (process.platform !== 'linux') return { kind: 'not_run', reason: 'it needs Linux' };
    const wanted = size(1000, LOOP_KINDS.length);
    const failures: string[] = [];
    let kills = 0;
    for (let round = 0; kills < wanted; round += 1) {
      const done = await killLoopOf({
        bin: join(root, 'bin', 'ralph.js'),
        kind: LOOP_KINDS[round % LOOP_KINDS.length] ?? 'plain',
        kills: Math.min(KILLS_PER_REPOSITORY, Math.ceil(wanted / LOOP_KINDS.length), wanted - kills),
        random,
        onKill: (wrong) => {
          kills += 1;
          progress(kills, wanted, `${failures.length + wrong} findings`);
        },
      });
      failures.push(...done.wrong);
      removeTemporaryFolders();
    }
    return measured(kills, `${failures.length} findings`, failures);
  },
};
