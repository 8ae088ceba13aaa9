import { join } from 'node:path';
import { outputTrial } from '../../test/helpers/output/output-trial.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

const LINES_MIB = 1024;
const LINE_MIB = 200;
const MOST = 1.5;

export const output: Row = {
  id: 'output',
  what: '1 GiB of output and a line of 200 MiB through a real attempt',
  target: `memory ≤ ${MOST} × that of a run with next to no output; both ends of the log on disk`,
  run: async ({ size, root }) => {
    if (process.platform !== 'linux') return { kind: 'not_run', reason: 'it needs Linux' };
    const trial = outputTrial(join(root, 'bin', 'ralph.js'), size(LINES_MIB), size(LINE_MIB));
    removeTemporaryFolders();
    const ratio = trial.ralphMib / trial.quietMib;
    const figures = `${trial.ralphMib.toFixed(0)} MiB, a run with next to no output ${trial.quietMib.toFixed(0)}, ratio ${ratio.toFixed(2)} (bare node: ${trial.nodeMib.toFixed(0)} MiB), ${trial.seconds.toFixed(1)} s`;
    const failures = [...trial.wrong, ...(ratio > MOST ? [`the ratio is ${ratio.toFixed(2)}`] : [])];
    return measured(1, figures, failures);
  },
};
