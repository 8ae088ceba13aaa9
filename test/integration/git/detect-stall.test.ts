import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { detectStall } from '../../../src/git/call/detect-stall.ts';

const PATIENCE = { pollMs: 50, signingMs: 200, otherMs: 200, stoppingMs: 0 };

/** What is said of a shell that runs this, called with these arguments; `null`: it ended itself. */
async function reasonFor(script: string, ...args: readonly string[]): Promise<string | null> {
  const child = spawn('/bin/sh', ['-c', script, ...args], { stdio: 'ignore', detached: true });
  const ended = new AbortController();
  child.on('exit', () => ended.abort());
  const why = await detectStall(child.pid ?? 0, ended.signal, PATIENCE);
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL');
  return why;
}

it.runIf(process.platform === 'linux').each([
  [
    'what signs',
    ['gpg', '--status-fd=2', '-bsau', 'KEY'],
    /^was stopped: signing waited .* for a PIN or a touch$/,
  ],
  ['a hook', ['/repo/.git/hooks/pre-commit'], /^was stopped: the pre-commit hook waited .* and did nothing$/],
  ['anything else', [], /^was stopped: \w+ waited .* and did nothing$/],
])('%s that waits is named', async (_what, args, words) => {
  expect(await reasonFor('tail -f /dev/null; :', ...args)).toMatch(words);
});

it.runIf(process.platform === 'linux')('one that works is left alone, and so is one that ends', async () => {
  expect(await reasonFor('i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done')).toBeNull();
  expect(await reasonFor('exit 0')).toBeNull();
});
