// Runs `cat FILE` in place of an agent, as the loop runs agents, with its output read by an adapter; prints the
// milliseconds.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor, addToReport, startReport } from 'ralph-agents';
import { systemClock } from '../../src/io/clock.ts';
import { prepareForLongRun } from '../../src/io/long-run.ts';
import { openProc } from '../../src/io/proc/index.ts';
import { manualStop } from '../../test/helpers/clocks.ts';

prepareForLongRun();
const [file = '', output = 'text', place = ''] = process.argv.slice(2);
const runner = { argv: ['cat', file], output } as never;
const choice = adapterFor('x', { x: runner });
if (!choice.ok) throw new Error(choice.message);
const { adapter } = choice;
const folder = mkdtempSync(join(place, 'capture-'));
const promptFile = join(folder, 'prompt.md');
writeFileSync(promptFile, '');
const proc = openProc({ clock: systemClock(), env: process.env, root: folder });

async function attempt(argv: readonly [string, ...string[]]) {
  let report = startReport();
  return proc.runAgent({
    plan: { argv, env: {}, stdin: 'empty' },
    promptFile,
    cwd: folder,
    agent: 'bench',
    home: null,
    inherits: { which: 'all', additional: [] },
    limits: { wallMs: 3_600_000, idleMs: 0, graceMs: 100 },
    outputFile: join(folder, 'output.log'),
    errorFile: join(folder, 'errors.log'),
    parse: adapter.parse,
    plainText: adapter.plainText,
    onEvent: (event) => {
      report = addToReport(report, event);
    },
    stop: manualStop(),
  });
}

// The first program of a process takes longer, so it isn't measured, neither here nor in the program that this one is
// compared with.
await attempt(['true']);
const start = performance.now();
const { end, outputBytes } = await attempt(['cat', file]);
const ms = performance.now() - start;
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ ms, bytes: outputBytes, end: end.kind }));
