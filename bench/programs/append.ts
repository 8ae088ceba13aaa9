// Fills a store with a number of events, then appends one for each line on standard input and prints how long that
// took.
import { createInterface } from 'node:readline';
import { openTestStore } from '../../test/helpers/crash/test-store.ts';
import { event, finished, started } from '../../test/unit/state/records.ts';

const BATCH = 1000;
const [dir = '', home = '', history = '0'] = process.argv.slice(2);
const { store } = openTestStore(dir, home);

const bodies = (number: number) => [
  started(number),
  finished(number, { events: [event(number, { iteration: number })] }),
];
for (let done = 0; done < Number(history); done += BATCH) {
  const count = Math.min(BATCH, Number(history) - done);
  store.commit(() => Array.from({ length: count }, (_, index) => bodies(done + index + 1)).flat());
}
let number = Number(history);
process.stdout.write('ready\n');
createInterface({ input: process.stdin }).on('line', () => {
  number += 1;
  const start = performance.now();
  store.commit(() => bodies(number));
  process.stdout.write(`${performance.now() - start}\n`);
});
