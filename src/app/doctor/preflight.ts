import { isBoxedOff } from 'ralph-box';
import { counted } from 'ralph-kit/counted';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew } from 'ralph-kit/text';
import { EXIT } from '../../domain/exit.ts';
import { waitingIncidents } from '../../domain/incident.ts';
import type { Task } from '../../domain/task.ts';
import { hasIdentity, operationInProgress } from '../../git/index.ts';
import { type Failure, failure } from '../result.ts';
import { clean } from '../setup/check-trust.ts';
import type { Project } from '../setup/project.ts';
import type { Uncommitted } from '../setup/uncommitted.ts';
import { type DoctorFinding, info, ok, warning } from './check.ts';
import { runAgentsCheck } from './checks/agents.ts';
import { gatesCheck } from './checks/gates.ts';
import {
  branchFinding,
  gitLocks,
  identityFindings,
  lockFindings,
  operationFindings,
  submodulePaths,
} from './checks/git.ts';
import { heldOutCheck } from './checks/held-out.ts';
import { pushFindings } from './checks/push.ts';
import { isStartable, listProblems, problemFindings } from './checks/task-list.ts';
import type { Scene } from './scene.ts';

export type Preflight = {
  readonly findings: readonly DoctorFinding[];
  /** Why a run doesn't start; `null`: it starts. */
  readonly refusal: Failure | null;
};

type Planned = {
  readonly project: Project;
  /** Tasks with the status that ralph knows. */
  readonly tasks: readonly Task[];
  readonly tracker: Parameters<typeof listProblems>[0];
  /** Number of tasks that could start. `maxIterations`: your limit of iterations, `null`: none. */
  readonly open: number;
  readonly maxIterations: number | null;
  readonly uncommitted: Uncommitted;
};

/** Returns the findings of `ralph doctor` that matter before a run. A finding with status `error` prevents the run. */
export async function preflight({
  project,
  tasks,
  tracker,
  open,
  maxIterations,
  uncommitted,
}: Planned): Promise<Preflight> {
  const { config, git, gitDir, root } = project;
  const commits = config.git.commit !== 'never';
  // A snapshot of the work tree writes into git's folder, which is read-only inside a box.
  const snapshot = isBoxedOff(project.stateHome) ? null : await git.snapshot();
  const { state } = project.store;
  const identity = !commits || (await hasIdentity(root));
  const scene: Pick<Scene, 'root' | 'config'> = project;
  const box = project.box();
  const held = { ...project, isBoxed: box.ok && box.box !== null };
  const [agents, gates, heldOut, push] = await Promise.all([
    runAgentsCheck.run(scene),
    gatesCheck.run(scene),
    heldOutCheck.run(held),
    pushFindings(project),
  ]);
  const findings = [
    ...(snapshot === null ? [] : [branchFinding(snapshot, commits)]),
    ...operationFindings(operationInProgress(gitDir)),
    ...lockFindings(gitLocks(project, snapshot?.branch ?? null)),
    ...identityFindings(commits, identity),
    ...(commits && isFirst(project) ? [FIRST_COMMITS] : []),
    ...push,
    ...uncommittedFindings(uncommitted.paths),
    ...submodules(root),
    ...agents,
    ...merged(gates),
    ...heldOut,
    ...problemFindings(listProblems(tracker, tasks), tasks.some(isStartable)),
    ...waiting(tasks, waitingIncidents(state)),
    ...limits(open, maxIterations),
  ].map((one) => ({ ...one, title: clean(one.title), detail: clean(one.detail) }));
  return { findings, refusal: refusalOf(findings) };
}

/** Note that ralph makes commits, shown only before the first run, and not if you set `[git] commit`. */
const FIRST_COMMITS = ok(
  'git.commits',
  'agents work in a copy; each verified task is committed ([git] commit)',
);

function isFirst({ store, configEntries }: Pick<Project, 'store' | 'configEntries'>): boolean {
  const isConfigured = configEntries().some(({ key, layer }) => key === 'git.commit' && layer !== 'built-in');
  return store.state.runs.length === 0 && !isConfigured;
}

function refusalOf(findings: readonly DoctorFinding[]): Failure | null {
  const errors = findings.filter(({ status }) => status === 'error');
  const [first] = errors;
  if (first === undefined) return null;
  const message = errors.map(({ title, detail }) => `${title}: ${detail}.`).join('\n');
  return failure(message, first.fix, first.id === 'agents.chosen' ? EXIT.agentUnavailable : EXIT.usage);
}

/** Joins the findings of gates whose programs are installed into one line. */
function merged(gates: readonly DoctorFinding[]): DoctorFinding[] {
  const good = gates.filter(({ status }) => status === 'ok').map(({ title }) => title);
  const others = gates.filter(({ status }) => status !== 'ok');
  return good.length === 0 ? others : [ok('gates.tool', 'gates', good.join(', ')), ...others];
}

function uncommittedFindings(paths: readonly string[]): DoctorFinding[] {
  if (paths.length === 0) return [];
  const detail = `${firstFew(paths)}; agents work from your last commit and don't see ${paths.length === 1 ? 'it' : 'them'}`;
  const title = counted(paths.length, 'uncommitted file');
  return [info('git.uncommitted', title, detail, 'git commit, where a task needs them.')];
}

function submodules(root: string): DoctorFinding[] {
  const paths = submodulePaths(root);
  if (paths.length === 0) return [];
  const detail = `${firstFew(paths)}; work in one lands once its commit is on its remote`;
  return [info('git.submodules', counted(paths.length, 'submodule'), detail, 'git submodule status')];
}

const NAMED = 5;

function waiting(tasks: readonly Task[], incidents: readonly { readonly id: string }[]): DoctorFinding[] {
  const withStatus = (wanted: Task['status']) =>
    tasks.filter(({ status }) => status === wanted).map(({ id }) => id);
  const finding = (id: string, title: string, names: readonly string[], command: string) =>
    names.length === 0 ? [] : [info(id, title, firstFew(names), command)];
  const ticked = withStatus('unverified');
  const parked = withStatus('parked');
  const open = incidents.map(({ id }) => id);
  return [
    ...finding(
      'tasks.unverified',
      `${counted(ticked.length, 'task')} ticked, not verified`,
      ticked,
      `ralph tasks accept ${ticked.length > NAMED ? '--all' : ticked.map(shellQuote).join(' ')}`,
    ),
    ...finding('tasks.waiting', `${counted(parked.length, 'task')} waiting for you`, parked, 'ralph tasks'),
    ...finding(
      'incidents.waiting',
      `${counted(open.length, 'incident')} waiting for you`,
      open,
      'ralph incidents',
    ),
  ];
}

function limits(open: number, maxIterations: number | null): DoctorFinding[] {
  // With one iteration (`ralph step`), you know that tasks will be left.
  if (maxIterations === null || open <= maxIterations || maxIterations === 1) return [];
  const detail = `${counted(maxIterations, 'iteration')} at most: the run ends before the last task`;
  return [
    warning(
      'limits.iterations',
      counted(open, 'open task'),
      detail,
      `ralph run --max-iterations ${open * 2}`,
    ),
  ];
}
