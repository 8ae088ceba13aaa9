import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { makeRepository, type TestRepository } from '../repository.ts';
import { lineOf } from './results.ts';

export type LandingTrial = {
  /** Whether the kill came before the worker's end. */
  readonly hit: boolean;
  /** Whether it came while a landing had a plan on disk. */
  readonly halfDone: boolean;
  readonly wrong: readonly string[];
};

/** Approximate duration of a worker, in milliseconds. */
const WORKER_MS = 900;
const START_MS = 120;
const GREEN = async () => true;

type Act = readonly [name: string, does: (repo: TestRepository, round: number) => void];

/** Acts of a user on their own files, also while ralph lands. */
const ON_FILES: readonly Act[] = [
  ['nothing', () => undefined],
  ['edits', (repo, round) => repo.write('mine/a.txt', `edited ${round}\n`)],
  [
    'stages',
    (repo, round) => {
      repo.write('mine/b.txt', `staged ${round}\n`);
      repo.git('add', 'mine/b.txt');
    },
  ],
  [
    'commits',
    (repo, round) => {
      repo.write('mine/c.txt', `committed ${round}\n`);
      repo.git('commit', '-qm', `yours ${round}`, '--', 'mine/c.txt');
    },
  ],
  ['makes a file', (repo, round) => repo.write(`mine/new-${round}.txt`, 'new\n')],
];

/** Acts that change no file. */
const UNTOUCHED: ReadonlySet<string> = new Set(['nothing']);

/** Acts of a user on the history while no process is active, or after a killed landing. */
const HISTORY: readonly Act[] = [
  ['nothing', () => undefined],
  [
    'amends',
    (repo, round) =>
      repo.git('commit', '-q', '--amend', '--only', '-m', `amended ${round}\n\n${bodyOf(repo)}`),
  ],
  // Git itself warns of this act beside a process that writes.
  ['gc', (repo) => repo.git('gc', '-q', '--prune=now')],
  ['drops', (repo) => repo.git('reset', '-q', '--keep', 'HEAD~1')],
  ['reverts', (repo) => repo.git('revert', '--no-edit', 'HEAD')],
  [
    'switches',
    (repo) => {
      repo.git('checkout', '-q', '-B', 'side');
      repo.git('checkout', '-q', 'main');
    },
  ],
  [
    'stashes',
    (repo) => {
      if (repo.git('stash', 'push', '-q').includes('No local changes')) return;
      repo.git('stash', 'pop', '-q', '--index');
    },
  ],
  ['rebases', (repo) => repo.git('-c', 'rebase.autoStash=true', 'rebase', '-q', '-f', 'HEAD~2')],
  [
    'pulls',
    (repo, round) => {
      const tree = repo.git('rev-parse', 'HEAD^{tree}');
      const other = repo.git('commit-tree', tree, '-p', 'HEAD', '-m', `pulled ${round}`);
      repo.git('merge', '-q', '--ff-only', other);
    },
  ],
];

/** Returns the trailers of a tip that is amended. */
function bodyOf(repo: TestRepository): string {
  return repo.git('log', '-1', '--format=%(trailers)');
}

/** Plays rounds in one repository: a process keeps and lands results and is killed with SIGKILL, beside a user. */
export async function landingTrials(
  script: string,
  rounds: number,
  random: () => number,
  onTrial: (wrong: number) => void = () => undefined,
): Promise<LandingTrial[]> {
  const shared = Object.fromEntries([0, 1, 2, 3, 4, 5].map((at) => [`shared/${at}.txt`, 'start\n']));
  const mine = Object.fromEntries(['a', 'b', 'c'].map((name) => [`mine/${name}.txt`, 'mine\n']));
  const repo = makeRepository({ ...shared, ...mine, 'base.txt': 'base\n' });
  repo.git('commit', '-q', '--allow-empty', '-m', 'second');
  repo.git('commit', '-q', '--allow-empty', '-m', 'third');
  const trials: LandingTrial[] = [];
  const taken = new Set<string>();
  const kept = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const trial = await oneTrial({ script, repo, round, random, taken, kept });
    trials.push(trial);
    onTrial(trial.wrong.length);
  }
  const left =
    (await (await lineOf(repo.root)).look())?.results.filter(({ status }) => status.kind === 'open') ?? [];
  if (left.length > 0)
    trials.push({ hit: false, halfDone: false, wrong: left.map(({ taskId }) => `${taskId} never landed`) });
  return trials;
}

type Round = {
  readonly script: string;
  readonly repo: TestRepository;
  readonly round: number;
  readonly random: () => number;
  /** Names of results that the user removed from the history. */
  readonly taken: Set<string>;
  /** Names of results that ralph reported as kept. */
  readonly kept: Set<string>;
};

async function oneTrial({ script, repo, round, random, taken, kept }: Round): Promise<LandingTrial> {
  const pick = (acts: readonly Act[]) => acts[Math.floor(random() * acts.length)] as Act;
  const [onFiles, history] = [pick(ON_FILES), pick(HISTORY)];
  const start = userFiles(repo);
  const where = `round ${round}, ${onFiles[0]}, ${history[0]}`;
  const child = spawn(process.execPath, [script, repo.root, String(round)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, failed] = ['', ''];
  child.stdout.on('data', (data) => {
    printed += String(data);
  });
  child.stderr.on('data', (data) => {
    failed += String(data);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await wait(START_MS + random() * 200);
  attempt(() => onFiles[1](repo, round));
  await Promise.race([ended, wait(random() * WORKER_MS)]);
  const isOver = child.exitCode !== null;
  child.kill('SIGKILL');
  await ended;
  for (const [, name = ''] of printed.matchAll(/^kept (.+)$/gm)) kept.add(name);
  const halfDone = existsSync(repo.path('.git/ralph/landing/plan.json'));
  const wrong = isOver && !printed.includes('end') ? [`the worker failed: ${failed}`] : [];
  const before = resultsIn(repo, 'HEAD');
  const finishing = async () => {
    const mine = userFiles(repo);
    await finish(repo);
    if (userFiles(repo) !== mine) wrong.push(`what is yours changed: ${mine} became ${userFiles(repo)}`);
  };
  if (UNTOUCHED.has(onFiles[0]) && userFiles(repo) !== start)
    wrong.push(`the worker changed what is yours: ${start}`);
  const act = () => {
    const gone = [...taken].filter((name) => !repo.exists(ownFile(name)));
    attempt(() => history[1](repo, round));
    // A user who reverts a commit or drops a revert wants the result back.
    for (const name of gone) if (repo.exists(ownFile(name))) taken.delete(name);
  };
  // A lock that a kill left keeps the user's git out, as it would be in practice.
  if (random() < 0.5) act();
  else await finishing();
  act();
  if (existsSync(repo.path('.git/rebase-merge'))) attempt(() => repo.git('rebase', '--abort'));
  if (existsSync(repo.path('.git/REVERT_HEAD'))) attempt(() => repo.git('revert', '--abort'));
  if (history[0] === 'drops' || history[0] === 'reverts') {
    const now = resultsIn(repo, 'HEAD');
    for (const name of before) if (!now.includes(name)) taken.add(name);
    // A result that was reverted twice is there again.
    for (const name of revertedIn(repo)) if (!repo.exists(ownFile(name))) taken.add(name);
  }
  await finishing();
  wrong.push(...problems(repo, { taken, kept }));
  return { hit: !isOver, halfDone, wrong: wrong.map((line) => `${where}: ${line}`) };
}

/**
 * Does what ralph's next command does, twice, because a landing that was cut off may need the line to be computed
 * again.
 */
async function finish(repo: TestRepository): Promise<void> {
  const line = await lineOf(repo.root);
  await line.land(GREEN);
  await line.land(GREEN);
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Git refuses an empty revert, and any act while it is busy.
  }
}

/** Returns the user's own files, byte for byte, and their staged versions. */
function userFiles(repo: TestRepository): string {
  return JSON.stringify([
    repo.git('status', '--porcelain', '-uall', '--', 'mine'),
    repo.git('diff', '--', 'mine'),
    repo.git('diff', '--cached', '--', 'mine'),
  ]);
}

/** Returns names of results whose commits are reachable, once for each commit. */
function resultsIn(repo: TestRepository, from: string): string[] {
  return repo.git('log', '--format=%(trailers:key=Ralph-Result,valueonly)', from).split('\n').filter(Boolean);
}

/** Returns names of results that a commit says it reverts. */
function revertedIn(repo: TestRepository): string[] {
  const bodies = repo.git('log', '--format=%B', 'HEAD');
  return [...bodies.matchAll(/This reverts commit ([0-9a-f]{40})/g)].flatMap(([, id = '']) =>
    repo.git('log', '-1', '--format=%(trailers:key=Ralph-Result,valueonly)', id).split('\n').filter(Boolean),
  );
}

function problems(
  repo: TestRepository,
  { taken, kept }: { readonly taken: ReadonlySet<string>; readonly kept: ReadonlySet<string> },
): string[] {
  const wrong: string[] = [];
  if (existsSync(repo.path('.git/index.lock'))) {
    wrong.push('index.lock is left');
    rmSync(repo.path('.git/index.lock'));
  }
  if (existsSync(repo.path('.git/ralph/landing/plan.json'))) wrong.push('a plan is left');
  const fsck = attemptText(() => repo.git('fsck', '--no-dangling'));
  if (fsck !== '') wrong.push(`fsck: ${fsck}`);
  const dirty = repo
    .git('status', '--porcelain', '-uall')
    .split('\n')
    .filter((line) => line !== '' && !/ "?mine\//.test(line));
  if (dirty.length > 0) wrong.push(`not as committed: ${dirty.join(', ')}`);
  const all = resultsIn(repo, 'HEAD');
  for (const name of new Set(all))
    if (all.filter((one) => one === name).length > 1) wrong.push(`${name} landed twice`);
  for (const name of taken) {
    if (repo.exists(ownFile(name))) wrong.push(`${name} came back`);
  }
  const known = knownResults(repo);
  for (const name of kept) if (!known.has(name)) wrong.push(`${name} is lost`);
  return wrong;
}

/**
 * Returns names of results that a ref keeps: one of their own, or the note of landed results, whose commits have them
 * as parents.
 */
function knownResults(repo: TestRepository): ReadonlySet<string> {
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const names = lines(repo.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/ralph/results'));
  const past = lines(repo.git('for-each-ref', '--format=%(objectname)', 'refs/ralph/past'));
  if (past.length === 0) return new Set(names);
  const reachable = new Set(lines(repo.git('rev-list', ...past)));
  for (const note of lines(repo.git('rev-list', '--grep=^ralph: results that landed$', ...past))) {
    const { results } = JSON.parse(repo.git('show', `${note}:results.json`));
    for (const { name, commit } of results) if (reachable.has(commit)) names.push(name);
  }
  return new Set(names);
}

/** Returns the file that only this result has. */
function ownFile(name: string): string {
  return `own/${name.slice(0, name.lastIndexOf('/'))}.txt`;
}

function attemptText(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}
