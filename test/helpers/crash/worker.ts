// The program that the crash tests run and kill. It tells what it has done, one line each, on standard output.
import { writeSync } from 'node:fs';
import { acquireLock } from '../../../src/io/store/index.ts';
import { openTestStore, said } from './test-store.ts';

const [mode, ...rest] = process.argv.slice(2);

function tell(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Commits COUNT records named LABEL-1, LABEL-2, …; each is told once it is acknowledged. */
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
    store.commit(() => [said(`${label}-${number}`)]);
    tell(`${label}-${number}`);
    if (views === 'views') store.writeViews();
  }
}

/** Takes the lock once told to, says whether it won, and holds it until standard input ends. */
function race([path = '']: string[]): void {
  tell('ready');
  process.stdin.once('data', () => {
    const result = acquireLock(path, { waitMs: 0, host: 'test-host' });
    tell(result.ok ? `won ${result.tookOver}` : 'lost');
    process.stdin.once('end', () => result.ok && result.release());
  });
}

if (mode === 'append') append(rest);
else race(rest);
