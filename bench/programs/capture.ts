// Runs `cat FILE` as an agent as the loop does, its output read by an adapter; says the milliseconds.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor, addToReport, startReport } from '../../src/agent/index.ts';
import { systemClock } from '../../src/io/clock.ts';
import { openProc } from '../../src/io/proc/index.ts';
import { manualStop } from '../../test/helpers/adversaries/manual-stop.ts';

const [file = '', output = 'text', place = ''] = process.argv.slice(2);
const runner = { argv: ['cat', file], output } as never;
const choice = adapterFor('x', { x: runner }, { node: '', scriptedProgram: '', defaultScenario: '' });
if (!choice.ok) throw new Error(choice.message);
const { adapter } = choice;
const folder = mkdtempSync(join(place, 'capture-'));
const promptFile = join(folder, 'prompt.md');
writeFileSync(promptFile, '');
let report = startReport();
const start = performance.now();
const proc = openProc({ clock: systemClock(), env: process.env, root: folder });
const { end, outputBytes } = await proc.runAgent({
  plan: { argv: ['cat', file], env: {}, stdin: 'empty' },
  promptFile,
  cwd: folder,
  limits: { wallMs: 3_600_000, idleMs: 0, graceMs: 100 },
  outputFile: join(folder, 'output.log'),
  errorFile: join(folder, 'errors.log'),
  parse: adapter.parse,
  onEvent: (event) => {
    report = addToReport(report, event);
  },
  stop: manualStop(),
});
process.stdout.write(JSON.stringify({ ms: performance.now() - start, bytes: outputBytes, end: end.kind }));
