import { ADVERSARIES, AGENT_DRIVER, ENDINGS, runTrial } from '../../test/helpers/adversaries/trial.ts';
import { bundle } from '../../test/helpers/bundle.ts';
import { measured, type Row } from '../row.ts';

export const processTrees: Row = {
  id: 'process-trees',
  what: `adversarial process trees, ${ADVERSARIES.length} kinds × ${ENDINGS.join(', ')}`,
  target: 'none alive',
  run: async ({ size, progress }) => {
    if (process.platform !== 'linux') return { kind: 'not_run', reason: 'it needs Linux' };
    const driver = await bundle(AGENT_DRIVER);
    const each = size(30);
    const total = each * ADVERSARIES.length * ENDINGS.length;
    const failures: string[] = [];
    let done = 0;
    for (let round = 0; round < each; round += 1) {
      for (const ending of ENDINGS) {
        for (const adversary of ADVERSARIES) {
          progress(done, total, `${adversary} ${ending}`);
          const { alive } = await runTrial({ adversary, ending, driver });
          if (alive > 0) failures.push(`${adversary}, ${ending}, round ${round}: ${alive} alive`);
          done += 1;
        }
      }
    }
    return measured(total, `${failures.length} with a process alive`, failures);
  },
};
