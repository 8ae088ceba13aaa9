import { ADVERSARIES, AGENT_DRIVER, ENDINGS, runTrial } from '../../test/helpers/adversaries/trial.ts';
import { isWholeBox } from '../../test/helpers/boxed.ts';
import { bundle } from '../../test/helpers/bundle.ts';
import { measured, type Row } from '../row.ts';

export const processTrees: Row = {
  id: 'process-trees',
  what: `adversarial process trees, ${ADVERSARIES.length} kinds × ${ENDINGS.join(', ')}, supervised and in a box`,
  target: 'none alive',
  run: async ({ size, progress }) => {
    if (process.platform !== 'linux') return { kind: 'not_run', reason: 'it needs Linux' };
    const driver = await bundle(AGENT_DRIVER);
    const each = size(30);
    const places = isWholeBox ? [false, true] : [false];
    const total = each * ADVERSARIES.length * ENDINGS.length * places.length;
    const failures: string[] = [];
    let done = 0;
    for (let round = 0; round < each; round += 1) {
      for (const ending of ENDINGS) {
        for (const adversary of ADVERSARIES) {
          for (const isBoxed of places) {
            const what = `${adversary}, ${ending}${isBoxed ? ', in a box' : ''}`;
            progress(done, total, what);
            const { alive } = await runTrial({ adversary, ending, driver, isBoxed });
            if (alive > 0) failures.push(`${what}, round ${round}: ${alive} alive`);
            done += 1;
          }
        }
      }
    }
    const where = isWholeBox ? 'half of them in a box' : 'none in a box: none can be made here';
    return measured(total, `${failures.length} with a process alive, ${where}`, failures);
  },
};
