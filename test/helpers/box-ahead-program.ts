import { join } from 'node:path';
import { systemClock } from '../../src/io/clock.ts';
import { openProc } from '../../src/io/proc/index.ts';
import { agentRequest } from './adversaries/trial.ts';
import { boxAround } from './boxed.ts';
import { manualStop } from './clocks.ts';

/** Makes a box ahead in a folder, says so, and ends; with a second argument it stays. */
const [folder = '', stays] = process.argv.slice(2);
const proc = openProc({ clock: systemClock(), env: process.env, box: boxAround(folder) });
await proc.runAgent({ ...agentRequest(folder, [join(folder, 'agent')]), stop: manualStop() });
proc.prepareAgent();
process.stdout.write('made\n');
if (stays !== undefined) process.stdin.resume();
