import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../../src/domain/ports.ts';
import { contentsOf, lostBytes, personsState } from '../kept-bytes.ts';
import { openTestGit } from '../open-test-git.ts';
import { RANDOM_IGNORES, randomTree } from '../random-tree.ts';
import { makeRepository, type TestRepository } from '../repository.ts';

export type RestoreTrial = {
  /** The kill came behind the begin of the restore and before its end. */
  readonly hit: boolean;
  /** Files were taken away at that moment, or new ones not all in their place. */
  readonly halfDone: boolean;
  /** One line for everything that breaks the promise. */
  readonly wrong: readonly string[];
};

const STEPS = 3;
/** Files that change beside the random ones, so that there is something to be killed in. */
const CHANGING = 24;
/** A restore takes about so long from its begin on, in milliseconds, and its changes of files about so long. */
const RESTORE_MS = 120;
const CHANGES_MS = 6;

/**
 * Again and again in one repository, a process puts a random tree back and is killed with -9 at a random moment; each
 * time every byte has to be found again, and doing it once more has to give the exact tree.
 */
export async function restoreTrials(
  script: string,
  seed: number,
  rounds: number,
  random: () => number,
): Promise<RestoreTrial[]> {
  const repo = makeRepository({ '.gitignore': RANDOM_IGNORES, 'src/a': 'a\n', 'docs/b.txt': 'b\n' });
  const step = randomTree(repo.root, seed);
  const git = await openTestGit(repo.root);
  const trials: RestoreTrial[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = Array.from({ length: STEPS }, step);
    change(repo, `old ${round}`);
    const target = await git.snapshot();
    await git.checkpoint('trial', round, target);
    const after = Array.from({ length: STEPS }, step);
    change(repo, `new ${round}`);
    const where = `seed ${seed}, round ${round}, ${before.join(', ')}; taken back: ${after.join(', ')}`;
    trials.push(await trial(script, repo, git, target.tree, where, random));
  }
  return trials;
}

async function trial(
  script: string,
  repo: TestRepository,
  git: Git,
  target: string,
  where: string,
  random: () => number,
): Promise<RestoreTrial> {
  const bytes = contentsOf(repo.root);
  const person = JSON.stringify(personsState(repo.root));
  const told = await runAndKill(script, repo, target, random);
  const halfDone = leftOver(repo) !== null;
  const wrong = lostBytes(repo.root, bytes).map((path) => `lost by the kill: ${JSON.stringify(path)}`);
  const outcome = await git.restore(target, await git.keepForRestore(target, 'once more'));
  if (outcome.kind === 'failed') wrong.push(`it was not put back: ${outcome.reason}`);
  else if (outcome.snapshot.tree !== target) wrong.push(`${outcome.snapshot.tree} instead of ${target}`);
  wrong.push(...lostBytes(repo.root, bytes).map((path) => `lost in the end: ${JSON.stringify(path)}`));
  if (JSON.stringify(personsState(repo.root)) !== person)
    wrong.push('the index, HEAD, branches or stash changed');
  if (leftOver(repo) !== null) wrong.push(`${leftOver(repo)} is left`);
  return {
    hit: told.includes('begin') && !told.includes('end'),
    halfDone,
    wrong: wrong.map((line) => `${where}: ${line}`),
  };
}

function change(repo: TestRepository, text: string): void {
  for (let file = 0; file < CHANGING; file += 1) repo.write(`many/${text}-${file}`, `${text} ${file}\n`);
  for (let file = 0; file < CHANGING; file += 1) repo.write(`many/both-${file}`, `${text} both ${file}\n`);
}

/** Half of the kills come at any moment of the restore, the other half while files are being changed. */
async function runAndKill(
  script: string,
  repo: TestRepository,
  tree: string,
  random: () => number,
): Promise<string> {
  const child = spawn(process.execPath, [script, repo.root, tree], { stdio: ['ignore', 'pipe', 'inherit'] });
  const amongChanges = random() < 0.5;
  const delay = random() * (amongChanges ? CHANGES_MS : RESTORE_MS);
  let told = '';
  let ended = false;
  const end = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('exit', () => {
    ended = true;
  });
  const killAmongChanges = () => {
    const left = leftOver(repo);
    if (left !== null && existsSync(join(left, 'old', '1'))) killAfter(child, delay);
    else if (!ended) setTimeout(killAmongChanges, 1);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    const begun = told === '';
    told += chunk.toString();
    if (begun && amongChanges) killAmongChanges();
    else if (begun) setTimeout(() => child.kill('SIGKILL'), delay);
  });
  await end;
  return told;
}

/** Timers are too coarse for parts of a few milliseconds. */
function killAfter(child: ChildProcess, ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
  child.kill('SIGKILL');
}

/** The folder in which a restore has what comes and what goes. */
function leftOver(repo: TestRepository): string | null {
  const folder = repo.path('.git/ralph');
  const name = existsSync(folder) ? readdirSync(folder).find((one) => one.startsWith('restore-')) : undefined;
  return name === undefined ? null : join(folder, name);
}
