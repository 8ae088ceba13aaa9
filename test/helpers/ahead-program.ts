import { gitCall } from '../../src/io/git/call/environment.ts';
import { startAhead } from '../../src/io/git/call/start-git.ts';
import { readProcessTable } from '../../src/io/proc/table/process-table.ts';

/** Starts two programs ahead, prints their process ids, and ends; with an argument it stays. */
const call = gitCall({ kind: 'question', folder: process.cwd() });
for (const hasInput of [false, true]) startAhead({ path: '/bin/cat', args: [], call, hasInput });
const pids = readProcessTable().filter(({ parent }) => parent === process.pid);
process.stdout.write(`${JSON.stringify(pids.map(({ pid }) => pid))}\n`);
if (process.argv[2] !== undefined) process.stdin.resume();
