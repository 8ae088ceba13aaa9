// Puts everything of `PLACES` in the place of every file of a store; a line each on standard output, before and after.
// Arguments: a folder to work in, and `small` to leave out most of the files of 100 MB.
import { writeSync } from 'node:fs';
import { damageTrial, makeTemplate, PLACES, TARGETS } from './damage-trial.ts';

const [folder = '', dose = 'full'] = process.argv.slice(2);
const LARGE_IN_SMALL = ['journal.jsonl', 'state.json'];
const template = makeTemplate(folder);
for (const target of TARGETS) {
  for (const [name, damage] of Object.entries(PLACES)) {
    if (dose === 'small' && /large .* lines/.test(name) && !LARGE_IN_SMALL.includes(target)) continue;
    writeSync(1, `${target}: ${name}: `);
    writeSync(1, `${damageTrial(template, target, damage).wrong.join('; ') || 'well'}\n`);
  }
}
writeSync(1, 'done\n');
