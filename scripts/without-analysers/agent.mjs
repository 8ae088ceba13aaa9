// Plays the shell tool of an agent: runs one command after the other in the agent's folder, and reports how each ended.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { secretsIn } from './secrets.mjs';

/** Milliseconds after which a command is ended: a slower one waits for something, or walks the whole machine. */
const LIMIT_MS = 20_000;
/** Maximum number of characters of the output that are kept. */
const KEPT = 2000;

const reports = [];
for (const name of readdirSync('/given/commands').toSorted())
  reports.push(await run(`/given/commands/${name}`));
await fetch('http://127.0.0.1:7777/report', { method: 'POST', body: JSON.stringify(reports) });
process.exit(0);

async function run(file) {
  const child = spawn('bash', [file], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const secrets = new Set();
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      tail = (tail + text).slice(-100_000);
      for (const secret of secretsIn(tail, false)) secrets.add(secret);
    });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  const exit = await new Promise((resolve) => {
    child.on('error', () => resolve(null));
    // Processes that the command leaves behind may keep its streams open, so its exit counts.
    child.on('exit', (code) => setTimeout(() => resolve(code), 300));
  });
  clearTimeout(timer);
  return { exit, isLate, secrets: [...secrets], output: tail.slice(-KEPT) };
}
