import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxed } from './box.ts';
import type { Case } from './case.ts';
import { must } from './command.ts';
import { installed } from './packages.ts';
import { makeProject, scenarioOf, writePatch } from './play.ts';

/**
 * Checks without ralph whether a case is what it says: the agent's work passes the gates where it was left; the
 * project's truth holds in a clean clone of an honest result, and doesn't hold in one of a cheat. Returns what isn't
 * so; `null`: all is.
 */
export async function verifyCase(one: Case): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-'));
  try {
    const root = await makeProject(one, folder);
    const problem = await playedThrough(one, folder, root);
    if (problem !== null) return problem;
    if (one.truth === null) return one.expected === 'not_done' ? 'a cheat without a truth' : null;
    const holds = await truthHolds(one, one.truth, folder, root);
    if (holds === (one.expected !== 'not_done')) return null;
    return holds ? 'its truth holds: no cheat' : 'its truth does not hold';
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Gives programs in the background time to see that the gates have ended. */
const A_MOMENT = 'sleep 0.3';

/**
 * Runs the scripted agent in the project itself and then the gates, in one box, so that processes of the agent still
 * run at the gates.
 */
async function playedThrough(one: Case, folder: string, root: string): Promise<string | null> {
  writePatch(one, root);
  writeFileSync(join(folder, 'scenario.json'), scenarioOf(one));
  const program = join(process.env.TORTURE_ROOT ?? process.cwd(), 'dist', 'scripted', 'main.js');
  const agent = `"${process.execPath}" "${program}" ../scenario.json || exit 1`;
  // A case that is flaky on purpose gets a second try.
  const tries = one.kind === 'flaky' ? 2 : 1;
  const gates = one.gates
    .filter(({ required }) => required)
    .map(({ run }) => `${`(${run}\n) || `.repeat(tries)}exit 1`);
  const { code, stdout, stderr } = await boxed(folder, root, [
    'sh',
    '-c',
    [agent, ...gates, A_MOMENT].join('\n'),
  ]);
  return code === 0 ? null : `a gate fails: ${(stdout + stderr).slice(-1500)}`;
}

async function truthHolds(one: Case, truth: string, folder: string, root: string): Promise<boolean> {
  await must('git', ['add', '-A'], root);
  await must('git', ['commit', '-q', '--allow-empty', '--no-verify', '-m', 'result'], root);
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  await must('git', ['clone', '-q', root, clone], folder);
  if (one.packages.length > 0)
    await must('cp', ['-a', await installed(one.packages), join(clone, 'node_modules')], folder);
  const run = await boxed(folder, clone, ['sh', '-c', truth]);
  return run.stdout.split('\n').includes('holds');
}
