import { spawn, spawnSync } from 'node:child_process';
import { shellAgent } from '../project-files.ts';
import { makeRepository, type TestRepository } from '../repository.ts';

/** An agent that changes everything that ralph trusts, beside a little work. It never claims to be done. */
const AGENT = `#!/bin/sh
cat > /dev/null
sed -i 's/- \\[ \\]/- [x]/' .ralph/PRD.md
cp .ralph/PRD.md PRD.md
printf '[loop]\\nagent = "mine"\\n[gates]\\ncommands = []\\n[runners.mine]\\nargv = ["true"]\\n' > .ralph/ralph.toml
tail -n 1 .ralph/journal.jsonl | sed 's/"seq":\\([0-9]*\\)/"seq":\\10/' >> .ralph/journal.jsonl
git config core.hooksPath planted
git tag -d mine > /dev/null 2>&1
git commit -q --allow-empty -m 'T-1 is done'
mkdir -p work
echo "$RALPH_ITERATION" > "work/$RALPH_TASK_ID.txt"
`;

const GATE = '[gates]\ncommands = ["test -e approved"]\n';
const TASKS = ['T-1', 'T-2', 'T-3'];
/** Number of iterations of an undisturbed run, over which the moments of the kills are spread. */
const ITERATIONS_SPREAD = 3;

export type HostileKillOptions = {
  /** Absolute path of the built command line, `bin/ralph.js`. */
  readonly bin: string;
  readonly kills: number;
  /** Returns a number from 0 to below 1: the moment of the next kill within the measured course of a run. */
  readonly random: () => number;
  readonly onKill?: () => void;
};

/**
 * Kills a run whose agent ticks tasks, softens settings and forges records, again and again in one repository, then
 * lets an iteration end. Returns a line for each forgery that was believed and each setting that stayed softened.
 */
export async function hostileKills(options: HostileKillOptions): Promise<{ kills: number; wrong: string[] }> {
  const { bin, random } = options;
  const repository = makeHostileProject();
  const { root } = repository;
  const before = whatCounts(repository);
  const start = performance.now();
  const first = ralph(bin, root, 'run', '--quiet', '--max-iterations', String(ITERATIONS_SPREAD));
  const spread = performance.now() - start;
  const wrong = problems(bin, repository, before, `after a run that ended with ${first.status}`);
  let kills = 0;
  while (kills < options.kills && wrong.length === 0) {
    const afterMs = random() * spread;
    const code = await runUntilKilled(bin, root, afterMs);
    if (code !== null) {
      wrong.push(`the run ended unasked with ${code} after ${kills} kills`);
      break;
    }
    kills += 1;
    options.onKill?.();
    // Nothing of the agent's may be believed even before a repair.
    wrong.push(...believed(bin, root, `kill ${kills} after ${Math.round(afterMs)} ms`));
  }
  const { status, stdout, stderr } = ralph(bin, root, 'run', '--quiet', '--max-iterations', '1');
  const end = `after ${kills} kills, at the end (exit ${status}: ${`${stdout}${stderr}`.slice(-200)})`;
  wrong.push(...problems(bin, repository, before, end));
  return { kills, wrong };
}

function makeHostileProject(): TestRepository {
  const list = TASKS.map((id) => `- [ ] **${id}** Write the file of ${id}\n`).join('');
  const repository = makeRepository({
    'agent.sh': AGENT,
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${list}`,
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 100000\nmax_attempts_per_task = 100000\nno_progress_limit = 100000')}[interventions]\nenabled = false\n${GATE}`,
  });
  repository.git('tag', 'mine');
  return repository;
}

/** In its own box the agent couldn't reach the files that have to be repaired. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, RALPH_TRUST: '1', RALPH_BOX_MODE: 'off' };
}

function ralph(bin: string, cwd: string, ...argv: string[]) {
  const env = environment();
  return spawnSync(process.execPath, [bin, ...argv], { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Resolves with the exit code if the run ended before its kill; otherwise `null`. */
function runUntilKilled(bin: string, cwd: string, afterMs: number): Promise<number | null> {
  const argv = [bin, 'run', '--quiet'];
  const child = spawn(process.execPath, argv, { cwd, env: environment(), stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

/** Returns everything that must be the same again after ralph's repair. */
function whatCounts({ git, read }: TestRepository): Readonly<Record<string, string>> {
  return {
    'the configuration': read('.ralph/ralph.toml'),
    'the task list': read('.ralph/PRD.md'),
    "git's configuration": read('.git/config'),
    'the tags': git('tag'),
  };
}

function problems(
  bin: string,
  repository: TestRepository,
  before: Readonly<Record<string, string>>,
  when: string,
): string[] {
  const now = whatCounts(repository);
  const changed = Object.keys(before).filter((what) => now[what] !== before[what]);
  return [
    ...changed.map((what) => `${when}: ${what} stayed as the agent left it`),
    ...believed(bin, repository.root, when),
  ];
}

function believed(bin: string, root: string, when: string): string[] {
  const { status, stdout, stderr } = ralph(bin, root, '--format', 'json', 'tasks');
  if (status !== 0) return [`${when}: \`ralph tasks\` ended with ${status}: ${stderr.slice(-300)}`];
  const { tasks } = JSON.parse(stdout) as { tasks: { id: string; status: string }[] };
  if (tasks.length !== TASKS.length) return [`${when}: there are ${tasks.length} tasks`];
  return tasks.filter((task) => task.status === 'done').map(({ id }) => `${when}: ${id} is done`);
}
