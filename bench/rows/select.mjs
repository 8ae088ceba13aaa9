import { join } from 'node:path';
import { ROOT, ROUNDS, run } from '../tools.mjs';

export const select = {
  id: 'select',
  run: () => {
    const { stdout } = run([process.execPath, join(ROOT, 'bench', 'select-10k.mjs')]);
    return Object.entries(JSON.parse(stdout)).map(([form, { ratio, ms }]) => ({
      what: `selection among 10,000 tasks (${form}; ${ms} ms inside), to reading the file alone`,
      value: ratio,
      baseline: 1,
      unit: '×',
      atMost: 3,
      rounds: ROUNDS,
    }));
  },
};
