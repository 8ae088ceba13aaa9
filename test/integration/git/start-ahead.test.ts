import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gitCall } from '../../../src/io/git/call/environment.ts';
import { startAhead, startProgram } from '../../../src/io/git/call/start-git.ts';
import { readProcess, readProcessTable } from '../../../src/io/proc/table/process-table.ts';
import { bundle } from '../../helpers/bundle.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { coldTree, makeRepository, temporaryFolder } from '../../helpers/repository.ts';

/** A program that says its process id, once it has read its input where it has one. */
const saying = (hasInput: boolean) => ({
  ...{ path: '/bin/sh', args: ['-c', hasInput ? 'cat; echo $$' : 'echo $$'], hasInput },
  call: gitCall({ kind: 'question', folder: temporaryFolder() }),
});

const children = () => readProcessTable().filter(({ parent }) => parent === process.pid);

/** Its process id. */
function ahead(program: ReturnType<typeof saying>): number {
  const before = new Set(children().map(({ pid }) => pid));
  startAhead(program);
  return children().find(({ pid }) => !before.has(pid))?.pid ?? 0;
}

async function said({ stdin, stdout }: ChildProcess): Promise<number> {
  stdin?.end();
  return stdout === null ? 0 : Number(await text(stdout));
}

async function gone(pid: number): Promise<void> {
  for (let row = readProcess(pid); row !== null && !row.zombie; row = readProcess(pid)) await setImmediate();
}

it.each([false, true])('what was started ahead is what works, once (with input: %s)', async (hasInput) => {
  const program = saying(hasInput);
  const pid = ahead(program);
  expect(pid).toBeGreaterThan(0);
  expect(ahead(program)).toBe(0);
  expect(await said(startProgram(program))).toBe(pid);
  expect(await said(startProgram(program))).not.toBe(pid);
});

it.each([false, true])('one that was stopped continues (with input: %s)', async (hasInput) => {
  const program = saying(hasInput);
  const pid = ahead(program);
  process.kill(pid, 'SIGSTOP');
  expect(await said(startProgram(program))).toBe(pid);
});

it.each([false, true])('one that was killed is started anew (with input: %s)', async (hasInput) => {
  const program = saying(hasInput);
  const pid = ahead(program);
  process.kill(pid, 'SIGKILL');
  await gone(pid);
  await setImmediate();
  expect(await said(startProgram(program))).not.toBe(pid);
});

it.each([
  ['lets its program end, and ends then', []],
  ['ends when its program is killed', ['stay']],
])('one that is never needed %s', async (_, args) => {
  const program = await bundle(new URL('../../helpers/ahead-program.ts', import.meta.url));
  const parent = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const pids: number[] = JSON.parse(String(line));
  expect(pids).toHaveLength(2);
  if (args.length > 0) parent.kill('SIGKILL');
  await once(parent, 'exit');
  await Promise.all(pids.map(gone));
});

it('a diff that was prepared says what one says that was not', async () => {
  const repo = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const [git, other] = [await openTestGit(repo.root), await openTestGit(repo.root)];
  const before = await git.snapshot();
  git.prepareDiff();
  repo.write('a.txt', 'changed\n');
  repo.write('new.txt', 'new\n');
  repo.remove('b.txt');
  const prepared = await git.diffWithPatch(before, 'now', 1_000_000);
  const after = coldTree(repo.root);
  expect(prepared.changes.after.tree).toBe(after);
  expect(prepared).toEqual(await other.diffWithPatch(before, { ...before, tree: after }, 1_000_000));
});
