import { join } from 'node:path';
import { ACTS } from '../../test/helpers/checkout/acts.ts';
import { checkoutTrial } from '../../test/helpers/checkout/trial.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { boxProblem } from '../hostile/harness.ts';
import { measured, type Row } from '../row.ts';

export const checkouts: Row = {
  id: 'checkout',
  what: 'a destructive act by an agent in the box: on files, ignored files, index, refs, stash, reflogs, objects, settings, hooks, other work trees; and the same on the checkout itself',
  target: 'in the box everything of yours is byte for byte what it was; on the checkout itself it hurts',
  run: async ({ progress, root }) => {
    const problem = boxProblem();
    if (problem !== null) return { kind: 'not_run', reason: problem };
    const names = Object.keys(ACTS);
    const failures: string[] = [];
    for (const [at, name] of names.entries()) {
      progress(at, names.length, `${name}, ${failures.length} findings`);
      failures.push(...(await checkoutTrial(join(root, 'bin', 'ralph.js'), name)).wrong);
      removeTemporaryFolders();
    }
    return measured(names.length, `${failures.length} findings`, failures);
  },
};
