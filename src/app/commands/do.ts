import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { namesIn } from 'ralph-kit/files/plain-file';
import { isInstalled } from 'ralph-kit/programs/start/resolve-executable';
import { onOneLine } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { isBlocked } from '../../decide/index.ts';
import type { Config } from '../../domain/config.ts';
import type { Unblocking } from '../../domain/records/blocked.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { type FoundWorkTree, workTreeTops } from '../../git/index.ts';
import { packageTop } from '../../io/package-top.ts';
import { askedAbout } from '../../tell/index.ts';
import { recordedRuns } from '../records/recorded-run.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { installedAgents, installHint } from '../setup/choose-agent.ts';
import { type DoTask, readDoTask, writeDoTask } from '../setup/do-task.ts';
import { correctionOf, formatProblems, loadConfigFiles } from '../setup/load-config.ts';
import { inProject } from '../setup/project.ts';
import { holderIn, type RalphFolder, ralphFolder } from '../setup/ralph-folder.ts';
import { locked, withRunLock } from '../setup/run-lock.ts';
import { homeOf } from '../setup/state-home.ts';
import { tidyDo } from '../setup/tidy-do.ts';
import { foundGates } from '../setup/trust/found-gates.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import { inTaskList, type ProjectInput, type TaskList } from '../setup/workspace.ts';
import { type LoopInput, run } from './run.ts';

export type DoInput = LoopInput & {
  /** Your text for the task, whose first line is the title; '': continue the unfinished task. */
  readonly text: string;
  readonly checks: readonly string[];
  readonly files: readonly string[];
  readonly timeoutSeconds: number | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly until: string | null;
  /** Asks you which of several installed agents to use; `null`: there is no terminal to ask on. */
  readonly askAgent: ((names: readonly string[]) => Promise<string | null>) | null;
  /** Returns the command line that repeats this call with an option, without your words. */
  readonly commandWith: (option: string) => string;
};

export type DoResult = DataOf<typeof doTask>;

/** `ralph do`: one task through the ordinary loop, with records apart from those of the task list. */
export async function doTask(input: DoInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const records = ralphFolder(found, 'do');
  const holder = holderIn(records.folder);
  if (holder !== null) return locked(holder);
  const left = readDoTask(records);
  // The result may have landed since the last call, or ralph was killed before it recorded the landing.
  if (left?.task.status === 'done' && !left.landed) await tidied(input.cwd);
  const before = readDoTask(records);
  const planned = await plan(input, before);
  if (!planned.ok) return planned;
  const loaded = await loadConfigFiles({ root: found.top, env: process.env, flags: input.flags ?? {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), correctionOf(found.top, loaded.problems));
  const place = { root: found.top, config: loaded.config };
  const agent = await agentFor(input, place, planned.continues ? (before?.agent ?? null) : null);
  if (!agent.ok) return agent;
  const newest = recordedRuns(records.folder).at(-1);
  const hadHome = existsSync(homeOf(found.commonDir).path);
  const { task, retry } = planned;
  const gates = gatesFor(input, place, task.checks ?? []);
  if (!gates.ok) return gates;
  writeDoTask(records, { agent: agent.name, gates: gates.gates, landed: false, task });
  const result = await run({
    ...input,
    owner: 'do',
    tasks: null,
    maxIterations: null,
    notifyEnd: true,
    ...(retry === null ? {} : { retry }),
  });
  if (!result.ok && recordedRuns(records.folder).at(-1) === newest) {
    // The run ended before it began the task, so the earlier task's document is restored.
    if (before !== null) writeDoTask(records, before);
    else if (hadHome) rmSync(dirname(records.folder), { recursive: true, force: true });
    else forgetFiles(found, records);
  }
  if (!result.ok)
    return result.next === 'ralph trust' ? { ...result, next: input.commandWith('--trust') } : result;
  const now = readDoTask(records);
  const { id, title, status } = now?.task ?? task;
  const landed = now?.landed === true;
  return { ...result, data: { ...result.data, do: { task_id: id, title, status, landed } } };
}

function tidied(cwd: string) {
  return inProject({ cwd, owner: 'do' }, (project) =>
    withRunLock(project, 'do', async () => {
      await tidyDo(project);
      return success({});
    }),
  );
}

type Planned = {
  readonly ok: true;
  readonly task: DoTask;
  readonly continues: boolean;
  /** Data for a new series of attempts; `null`: the task is new, or its series continues. */
  readonly retry: NonNullable<Parameters<typeof run>[0]['retry']> | null;
};

async function plan(input: DoInput, document: ReturnType<typeof readDoTask>): Promise<Planned | Failure> {
  const { cwd, text, checks, files, timeoutSeconds } = input;
  const [title = '', ...rest] = text.trim().split('\n');
  const request = { title: onOneLine(title), description: rest.join('\n').trim() };
  const before = document?.task ?? null;
  const limits = {
    ...(checks.length === 0 ? {} : { checks: [...checks] }),
    ...(files.length === 0 ? {} : { files: [...files] }),
    ...(timeoutSeconds === null ? {} : { timeout: timeoutSeconds }),
  };
  const isOpen = before !== null && document?.landed !== true;
  const isSame = request.title === before?.title && request.description === before.description;
  if (text.trim() === '' && !isOpen)
    return failure(
      'What is to be done? Nothing is left to continue.',
      'ralph do "Fix the off-by-one in the pager"',
    );
  if (!isOpen) {
    const number = before === null ? 1 : Number(before.id.slice('DO-'.length)) + 1;
    const task = { id: `DO-${number}`, ...request, ...limits, status: 'open' };
    return { ok: true, task, continues: false, retry: null };
  }
  if (text.trim() !== '' && !isSame) {
    const message = `${before.id} isn't finished: ${before.title}\nContinue with it (ralph do), or drop it with its work. Nothing was started.`;
    return failure(message, 'ralph do --forget');
  }
  const task = { ...before, ...limits };
  const opened = await inTaskList({ cwd, owner: 'do' }, async (list) => ({
    ok: true as const,
    retry: retryOf(list, task.id),
  }));
  return opened.ok ? { ok: true, task, continues: true, retry: opened.retry } : opened;
}

/**
 * Returns data for a new series of attempts, which a task gets that failed too often, unless you have to answer first.
 */
function retryOf({ project, tracker }: TaskList, taskId: string): Planned['retry'] {
  const { state } = project.store;
  const waits = askedAbout(state, taskId).length > 0 || taskStateOf(state, taskId).held;
  if (waits || !isBlocked(state, tracker.tasks, taskId)) return null;
  const unblocking: Unblocking = {
    taskId,
    strategy: null,
    reason: 'continued',
    timeoutSeconds: null,
    guidance: null,
  };
  const attempts = project.config.loop.max_attempts_per_task;
  return { unblockings: [unblocking], attempts, fresh: false };
}

type Place = { readonly root: string; readonly config: Config };

type FoundGates = { readonly ok: true; readonly gates: NonNullable<ReturnType<typeof readDoTask>>['gates'] };

/**
 * Returns the gates that are found here; a failure if none of their programs is installed, as nothing would check the
 * task.
 */
function gatesFor(
  { commandWith }: DoInput,
  { root, config }: Place,
  checks: readonly string[],
): FoundGates | Failure {
  if (config.gates.commands.length > 0) return { ok: true, gates: [] };
  const gates = foundGates(root);
  const missing = gates.filter(({ run: line }) => !isInstalled(line.split(' ')[0] ?? '', root));
  if (gates.length > 0 && missing.length === gates.length && checks.length === 0) {
    const names = missing.map(({ run: line }) => line).join(', ');
    return failure(
      `None of the checks found here can run, as their programs aren't installed: ${names}. Install one, or give a check of your own.`,
      commandWith("--check 'COMMAND'"),
    );
  }
  return { ok: true, gates: [...gates] };
}

/**
 * Returns the agent: the one that you name, otherwise the task's earlier one, the configured one, or the only one that
 * is installed.
 */
async function agentFor(
  { agent, askAgent, commandWith }: DoInput,
  { root, config }: Place,
  before: string | null,
): Promise<{ readonly ok: true; readonly name: string | null } | Failure> {
  const name = agent ?? before;
  if (name !== null) return { ok: true, name };
  if (config.loop.agent !== 'auto') return { ok: true, name: null };
  const installed = installedAgents(root);
  const [first, ...others] = installed;
  if (first === undefined) {
    const list = BUILT_IN_AGENTS.map((name) => `  ${name.padEnd(10)}  ${installHint(name)}`);
    return failure(
      ['No coding agent was found on PATH. Install one of these:', ...list].join('\n'),
      'ralph doctor --agents',
    );
  }
  if (others.length === 0) return { ok: true, name: first };
  const chosen = (await askAgent?.(installed)) ?? null;
  if (chosen !== null) return { ok: true, name: chosen };
  return failure(
    `Several agents are installed: ${installed.join(', ')}. Choose one.`,
    commandWith(`--agent ${first}`),
  );
}

export type ForgetResult = DataOf<typeof forget>;

/** `ralph do --forget`: removes the task's work, and everything that ralph keeps about it outside of the repository. */
export async function forget(input: ProjectInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const records = ralphFolder(found, 'do');
  const task = readDoTask(records)?.task ?? null;
  if (!existsSync(records.folder)) return success({ forgotten: null, work: false });
  const dropped = await inProject({ ...input, owner: 'do' }, (project) =>
    withRunLock(project, 'do --forget', async () => {
      const work = task !== null && taskStateOf(project.store.state, task.id).setAside !== null;
      await project.git.dropRefsApart(null);
      await project.git.removeCopies();
      return success({ work });
    }),
  );
  if (!dropped.ok) return dropped;
  forgetFiles(found, records);
  return success({ forgotten: task === null ? null : { id: task.id, title: task.title }, ...dropped.data });
}

/**
 * If the repository's task list has no records, ralph's files about the repository are removed, also those in its git
 * folder.
 */
function forgetFiles(workTree: FoundWorkTree, { folder }: RalphFolder): void {
  const home = homeOf(workTree.commonDir).path;
  rmSync(dirname(folder), { recursive: true, force: true });
  for (const name of [join('do', 'worktrees'), 'do']) tryOr(undefined, () => rmdirSync(join(home, name)));
  const others = ['do', join('do', 'worktrees')].flatMap((name) => namesIn(join(home, name)));
  const isUsed = others.some((name) => name !== 'worktrees');
  if (isUsed || workTreeTops(workTree).some((top) => existsSync(join(top, '.ralph')))) return;
  // A copy of ralph in that folder may be the program that is running, so it stays.
  const own = packageTop().startsWith(`${home}${sep}`) ? 'program' : null;
  for (const name of existsSync(home) ? readdirSync(home) : [])
    if (name !== own) rmSync(join(home, name), { recursive: true, force: true });
  if (own === null) rmSync(home, { recursive: true, force: true });
  for (const git of new Set([workTree.gitDir, workTree.commonDir]))
    rmSync(join(git, 'ralph'), { recursive: true, force: true });
}
