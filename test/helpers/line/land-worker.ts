// Keeps results one after the other and lands them, as a run does; tests kill it meanwhile.
import { writeSync } from 'node:fs';
import { lineOf, verified } from './results.ts';

const [root = '', round = ''] = process.argv.slice(2);

/** Number of results of one process. */
const RESULTS = 3;
/** Number of lines that several tasks change. */
const SHARED = 6;

const line = await lineOf(root);
for (let number = 1; number <= RESULTS; number += 1) {
  const taskId = `T-${round}-${number}`;
  const shared = (Number(round) * RESULTS + number) % SHARED;
  const kept = await verified(root, line, taskId, {
    [`own/${taskId}.txt`]: `${taskId}\n`,
    [`shared/${shared}.txt`]: `${taskId}\n`,
    // A new folder, which lands as a whole.
    [`made/${taskId}/a.txt`]: `${taskId}\n`,
    [`made/${taskId}/deep/b.txt`]: `${taskId}\n`,
  });
  writeSync(1, `kept ${taskId}/${kept.number}\n`);
  await line.land(async () => true);
}
writeSync(1, 'end\n');
