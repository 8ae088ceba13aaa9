import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { median, programs, ROOT, repository, run, scratch } from '../tools.mjs';

const ROUNDS = 51;
const AT_MOST_MS = 15;

export const boxStart = {
  id: 'box-start',
  run: async () => {
    const script = join(programs, 'box-start.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'box-start.ts'), script);
    const { folder } = repository(1000, 1);
    const argv = [process.execPath, script, folder, join(scratch, 'box-state'), String(ROUNDS)];
    const { off, opening, boxed, plain } = JSON.parse(run(argv).stdout);
    if (off !== undefined) throw new Error(`no box can be made here: ${off}`);
    const what = `/bin/true in the box of an agent (${median(opening).toFixed(1)} ms of it to prepare), without one`;
    const figure = { what, value: median(boxed), baseline: median(plain), unit: 'ms', rounds: ROUNDS };
    return [{ ...figure, atMostAbsolute: AT_MOST_MS }];
  },
};
