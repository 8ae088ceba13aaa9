// Makes src/timing/weights.ts of the labelled tasks in test/eval: node scripts/train-complexity.mjs
// The held-out fifth takes no part. The same tasks give the same file; `npm run eval:complexity` fails if it differs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelledTasks, root, timingRoom, trainedWeights } from './complexity-model.mjs';

const tuning = labelledTasks().filter(({ heldOut }) => !heldOut);
const weights = trainedWeights(tuning, await timingRoom());
const text = `// Made by \`npm run train:complexity\` from the labelled tasks in test/eval: not to be edited by hand.

/**
 * One word or form a line, with what it adds to simple, medium, complex and ui_heavy, in hundredths. Words are without
 * their plural \`s\`; what follows \`title:\` is added for a word of the title.
 */
export const WEIGHTS = \`
${weights}\`;
`;
writeFileSync(join(root, 'src', 'timing', 'weights.ts'), text);

const features = weights.split('\n').length - 1;
process.stdout.write(
  `src/timing/weights.ts: ${features} words and forms from ${tuning.length} tasks, ${Buffer.byteLength(text)} bytes.\n`,
);
