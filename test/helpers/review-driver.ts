import { writeSync } from 'node:fs';
import { openReviewer } from '../../src/loop/watch/reviewer.ts';
import { openLineLog } from '../../src/store/line-log.ts';
import { actionOf } from './action.ts';
import { REVIEWER } from './reviewing.ts';

// node review-driver.mjs LOG COUNT: reviews COUNT different actions and logs them. Prints a line with the number after
// each answer; at the end, the MiB of the heap after the first thousand and after all.
const [, , path = '', count = '0'] = process.argv;

const COMMANDS = [
  (n: number) => `npm test -- --run src/part-${n}.test.ts`,
  (n: number) => `git diff HEAD~${n} -- src`,
  (n: number) => `rm -rf dist/part-${n}`,
  (n: number) => `rm -rf /srv/part-${n}`,
  (n: number) => `mkdir -p /tmp/made-${n} && touch /tmp/made-${n}/a`,
];

const log = openLineLog(path, 'the log');
const reviewer = openReviewer(
  {
    ...REVIEWER,
    clock: {
      now: () => '2030-01-01T00:00:00.000Z',
      monotonicMs: () => performance.now(),
      processorMs: () => performance.now(),
    },
    place: {
      root: '/repo',
      home: '/home/me',
      protectedFolders: [],
      restricted: null,
      realPath: (one) => one,
      tmpdir: { path: '/tmp', own: false },
      bornAt: (one) => (one.startsWith('/srv') || one === '/repo' ? -1 : null),
      textSince: () => null,
      entries: () => [],
    },
    onReview: (record) => log.append(JSON.stringify(record)),
  },
  false,
);

const heap = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
};
let early = 0;
for (let number = 1; number <= Number(count); number += 1) {
  const command = COMMANDS[number % COMMANDS.length]?.(number) ?? '';
  const action = actionOf('Bash', { command }, { id: String(number) });
  await reviewer.judge(action, { warn: true, modify: true }, 'hook');
  await reviewer.onEnd(action, number % 7 !== 0);
  writeSync(1, `${number}\n`);
  if (number === 1000) early = heap();
}
const { lines, sha256 } = log.written();
const { numbers } = await reviewer.counted();
writeSync(1, `${JSON.stringify({ early, late: heap(), lines, sha256, numbers })}\n`);
