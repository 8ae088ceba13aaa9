import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { env, median, programs, ROOT, scratch } from '../tools.mjs';

const ROUNDS = 201;

export const append = {
  id: 'append',
  run: async () => {
    const script = join(programs, 'append.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'append.ts'), script);
    const [long, short] = [await openHistory(script, 100_000), await openHistory(script, 10)];
    const [ofLong, ofShort] = [[], []];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        ofLong.push(await long.append());
        ofShort.push(await short.append());
      }
    } finally {
      long.end();
      short.end();
    }
    const what = 'appending an event to a history of 100,000, to a history of 10';
    return [
      { what, value: median(ofLong), baseline: median(ofShort), unit: 'ms', atMost: 2, rounds: ROUNDS },
    ];
  },
};

async function openHistory(script, events) {
  const place = join(scratch, `history-${events}`);
  mkdirSync(join(place, '.ralph'), { recursive: true });
  const argv = [script, join(place, '.ralph'), join(place, 'home'), String(events)];
  const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the program with the history ended');
  });
  ended.catch(() => undefined);
  const line = () =>
    new Promise((resolve, reject) => {
      child.stdout.once('data', (chunk) => resolve(chunk.toString()));
      ended.catch(reject);
    });
  await line();
  return {
    append: async () => {
      const answer = line();
      child.stdin.write('go\n');
      return Number(await answer);
    },
    end: () => child.kill('SIGKILL'),
  };
}
