import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { programs, ROOT, run, scratch } from '../tools.mjs';

const ROUNDS = 101;

const share = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

/** Measures the review of an action up to its ruling, with the record in the log, but without the way to the agent. */
export const review = {
  id: 'review',
  run: async () => {
    const script = join(programs, 'review.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'review.ts'), script);
    const { stdout } = run([process.execPath, script, join(scratch, 'reviews.jsonl'), String(ROUNDS)]);
    const { ordinary, parsed, hostile } = JSON.parse(stdout);
    const worst = (kind) => Math.max(...hostile.map((each) => each[kind]));
    const figure = (what, value, baseline, atMostAbsolute, rounds) => ({
      ...{ what: `${what}, beside the bare parser`, value, baseline, unit: 'ms', atMostAbsolute, rounds },
    });
    return [
      figure('review of an ordinary command, p50', share(ordinary, 0.5), share(parsed, 0.5), 1, ROUNDS),
      figure('review of an ordinary command, p95', share(ordinary, 0.95), share(parsed, 0.95), 5, ROUNDS),
      figure('review of an ordinary command, worst', share(ordinary, 1), share(parsed, 1), 100, ROUNDS),
      figure(
        `review of the worst of ${hostile.length} hostile actions`,
        worst('wall'),
        share(parsed, 1),
        100,
        3,
      ),
      figure('the same in processor time', worst('processor'), share(parsed, 1), 35, 3),
    ];
  },
};
