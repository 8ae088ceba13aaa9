// The program that the crash tests run and kill. It prints what it has done, a line each.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { acquireLock } from '../../../src/store/index.ts';
import { guidance, openTestStore } from './test-store.ts';

const [mode, ...rest] = process.argv.slice(2);

function tell(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Commits COUNT records named LABEL-1, LABEL-2, …, and prints each once it is acknowledged. */
function append([
  dir = '',
  home = '',
  label = '',
  count = '0',
  segmentBytes = '0',
  views = '',
]: string[]): void {
  const more = segmentBytes === '0' ? {} : { segmentBytes: Number(segmentBytes) };
  const { store } = openTestStore(dir, home, more);
  tell('open');
  for (let number = 1; number <= Number(count); number += 1) {
    store.commit(() => [guidance(`${label}-${number}`)]);
    tell(`${label}-${number}`);
    if (views === 'views') store.writeViews();
  }
}

/** Tries to take a lock at each `go PATH`, prints whether it won, and releases the lock at `free`. */
function race(): void {
  let release = () => {};
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [word, path = ''] = line.split(' ');
    if (word === 'go') {
      const result = acquireLock(path, { waitMs: 0, host: 'test-host' });
      release = result.ok ? result.release : () => {};
      tell(result.ok ? `won ${result.tookOver}` : 'lost');
    } else {
      release();
      tell('freed');
    }
  });
  tell('ready');
}

if (mode === 'append') append(rest);
else race();
