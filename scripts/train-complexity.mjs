// Makes src/decide/timing/weights.json from the labelled tasks in test/eval: node scripts/train-complexity.mjs. The
// held-out fifth isn't used. The same tasks give the same file; `npm run eval:complexity` fails if it differs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelledTasks, root, timingRoom, trainedWeights } from './complexity-model.mjs';

const tuning = labelledTasks().filter(({ heldOut }) => !heldOut);
const weights = trainedWeights(tuning, await timingRoom());
const lines = Object.entries(weights).map(
  ([name, values]) => `  ${JSON.stringify(name)}: [${values.join(', ')}]`,
);
writeFileSync(join(root, 'src', 'decide', 'timing', 'weights.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(
  `src/decide/timing/weights.json: ${lines.length} words and forms from ${tuning.length} tasks.\n`,
);
