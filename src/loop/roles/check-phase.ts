import { counted } from 'ralph-kit/counted';
import { judge } from '../../decide/index.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import {
  REVIEW_DIFF_LIMIT,
  type Reviewer,
  type Role,
  type RoleRun,
  type WorkflowFacts,
} from '../../domain/workflow/roles.ts';
import { coveredAtOnce } from '../../respond/policy/index.ts';
import {
  answerProblem,
  readAnswer,
  reviewerPrompt,
  reviewers,
  wantsAdversary,
} from '../../respond/roles/index.ts';
import type { LoopContext, RoleAgent, WorkflowSetup } from '../context.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import type { Planned } from './plan-phase.ts';
import { agentFor, roleLabel, sameAgent } from './role-agent.ts';
import { runRole } from './run-role.ts';

type Before = { readonly started: StartedIteration; readonly planned: Planned | null };
type Change = Pick<WorkflowFacts, 'diff' | 'files'>;
type Reviewing = Before & {
  readonly setup: WorkflowSetup;
  readonly change: Change;
  readonly tree: string;
  readonly nextNumber: () => number;
};

type Checked = {
  /** Facts about the roles; `null`: the maker works alone. */
  readonly workflow: WorkflowFacts | null;
  /** Why reviews are missing, such as a spent budget; `null`: none are missing. */
  readonly cutOff: string | null;
};

export async function checkPhase(
  context: LoopContext,
  chosen: Chosen,
  before: Before,
  facts: IterationFacts,
): Promise<Checked> {
  const { workflow: setup, ports } = context;
  const { planned, started } = before;
  if (setup === null || planned === null) return { workflow: null, cutOff: null };
  const roles = reviewers(setup.kind, judge(facts).verdict.kind === 'done');
  const change = await changeOf(context, facts);
  const base = { ...workflowBase(context, setup, facts, chosen), ...change, ...planned };
  if (roles.length === 0) {
    const workflow = { ...base, runs: [...planned.runs], checkMs: 0 };
    return { workflow, cutOff: null };
  }

  let number = planned.runs.length;
  const nextNumber = () => {
    number += 1;
    return number;
  };
  const reviewing = { ...before, setup, change, tree: facts.leftTree, nextNumber };
  const start = ports.clock.monotonicMs();
  const label = (role: Role) => roleLabel(setup, started, role);
  ports.store.commit([{ type: 'roles_started', phase: 'check', roles: roles.map(label) }]);
  const runs = await reviewAll(context, chosen, reviewing, roles);
  const checkMs = Math.round(ports.clock.monotonicMs() - start);
  const wanted: Reviewer[] = [...roles];
  if (!isStopped(context) && wantsAdversary(runs, checkMs, change.files)) {
    wanted.push('guardian');
    if (started.ledger.spentBecause() === null) {
      ports.store.commit([{ type: 'roles_started', phase: 'check', roles: [label('guardian')] }]);
      runs.push(...(await review(context, chosen, reviewing, 'guardian', true)));
    }
  }
  ports.store.commit([{ type: 'roles_finished', role: null, results: runs.map(resultOf) }]);
  for (const { role, wroteInCopy } of runs)
    if (wroteInCopy.length > 0)
      ports.store.commit([
        {
          type: 'warned',
          message: `${role} changed ${wroteInCopy.length === 1 ? wroteInCopy[0] : `${wroteInCopy.length} files`} in its copy of the work tree; that is undone. Reviewers never write.`,
        },
      ]);
  const workflow = {
    ...base,
    runs: [...planned.runs, ...runs],
    checkMs,
    seats: [
      ...new Map(
        [...planned.runs, ...runs].map(({ role, agent, model }) => [role, { role, agent, model }]),
      ).values(),
    ],
    plan: started.facts.taskState.workflow?.plan ?? planned.plan,
  };
  return { workflow, cutOff: areMissing(runs, wanted) ? started.ledger.spentBecause() : null };
}

/** Runs reviewers: as many at once as the budget covers if each costs as much as the most expensive agent so far. */
async function reviewAll(
  context: LoopContext,
  chosen: Chosen,
  reviewing: Reviewing,
  roles: readonly Reviewer[],
): Promise<RoleRun[]> {
  const { ledger, facts } = reviewing.started;
  const runs: RoleRun[] = [];
  let left = roles;
  while (left.length > 0 && ledger.spentBecause() === null) {
    const most = coveredAtOnce(facts.budget.limits, ledger.spent(), ledger.mostExpensive());
    const now = left.slice(0, most);
    left = left.slice(now.length);
    const done = await Promise.all(now.map((role) => review(context, chosen, reviewing, role, false)));
    runs.push(...done.flat());
  }
  return runs.sort((one, other) => one.number - other.number);
}

/** Returns whether a review is missing. A review that ralph ended early is. */
function areMissing(runs: readonly RoleRun[], wanted: readonly Reviewer[]): boolean {
  const ended = runs.filter(({ turns }) => !turns.some(({ end }) => end.kind === 'halted'));
  return wanted.some((role) => countOf(ended, role) < wanted.filter((one) => one === role).length);
}

function countOf(runs: readonly RoleRun[], role: Role): number {
  return runs.filter((one) => one.role === role).length;
}

function isStopped({ ports }: LoopContext): boolean {
  return ports.stop.polite.aborted;
}

async function review(
  context: LoopContext,
  chosen: Chosen,
  reviewing: Reviewing,
  role: Reviewer,
  adversarial: boolean,
): Promise<RoleRun[]> {
  const { setup, started, planned, change } = reviewing;
  const plan = planned?.plan ?? null;
  const prompt = (nonce: string | null) =>
    reviewerPrompt(started, { role, plan, ...change, adversarial }, nonce);
  const ask = ({ agent, isAnother }: { readonly agent: RoleAgent; readonly isAnother: boolean }) =>
    runRole(context, chosen, started, {
      number: reviewing.nextNumber(),
      role,
      phase: 'check',
      agent,
      replaced: isAnother,
      adversarial,
      read: readAnswer,
      prompt,
      tree: reviewing.tree,
    });
  const assigned = agentFor(setup, started, role);
  if (assigned === null) return [];
  const ended = (runs: RoleRun[]) => {
    context.ports.store.commit([
      { type: 'roles_finished', role: roleLabel(setup, started, role), results: [] },
    ]);
    return runs;
  };
  const runs = [await ask(assigned)];
  const asked = [assigned.agent];
  for (let more = 1; wantsAnother(runs); more += 1) {
    const other = agentFor(setup, started, role, more);
    const isOver = isStopped(context) || started.ledger.spentBecause() !== null;
    if (isOver || other === null || asked.some((one) => sameAgent(one, other.agent))) break;
    asked.push(other.agent);
    runs.push(await ask(other));
  }
  return ended(runs);
}

/**
 * Returns whether another agent should be asked: after a first invalid answer, and as long as causes outside the work
 * prevent answers.
 */
function wantsAnother(runs: readonly RoleRun[]): boolean {
  const last = runs.at(-1);
  if (last === undefined || isAnswered(last)) return false;
  return runs.length === 1 || last.turns.at(-1)?.outside !== null;
}

function isAnswered({ turns }: RoleRun): boolean {
  const last = turns.at(-1);
  return last !== undefined && last.trouble === null && answerProblem(last) === null;
}

function resultOf({ role, turns }: RoleRun): { readonly role: string; readonly outcome: string } {
  const last = turns.at(-1);
  if (last === undefined || last.trouble !== null)
    return { role, outcome: `failed: ${last?.trouble ?? 'not started'}` };
  const read = readAnswer(last);
  if (!read.ok) return { role, outcome: `failed: ${read.problem}` };
  const count = read.answer.findings.length;
  const findings = count === 0 ? '' : ` (${counted(count, 'finding')})`;
  return {
    role,
    outcome: `${read.answer.verdict === 'APPROVED' ? 'approved' : 'asks for changes'}${findings}`,
  };
}

async function changeOf({ ports: { git, work } }: LoopContext, facts: IterationFacts): Promise<Change> {
  const { changes, taskState, leftTree } = facts;
  const from = taskState.series?.tree ?? changes.before.tree;
  const after = { ...changes.after, tree: leftTree };
  const all = await work.git.diff({ ...changes.before, tree: from }, after);
  return {
    diff: (await git.patchBetween(from, leftTree, REVIEW_DIFF_LIMIT)).slice(0, REVIEW_DIFF_LIMIT),
    files: all.changes.map(({ path, linesAdded, linesRemoved }) => ({
      path,
      added: linesAdded,
      removed: linesRemoved,
    })),
  };
}

/** Number of earlier runs whose open WARNINGs are considered. */
const RUNS_REMEMBERED = 5;

function workflowBase(
  { ports: { store }, run }: LoopContext,
  { kind, maxCycles }: WorkflowSetup,
  { observed, report, lessons }: IterationFacts,
  { tasks }: Chosen,
) {
  const earlier = store.state.runs.filter((one) => one.run !== run && one.workflow !== null);
  const cleanUp = tasks.find(({ title, status }) => status === 'open' && CLEAN_UP.test(title));
  const commands = observed.actions
    .filter(({ kind: what }) => what === 'system_command')
    .map(({ text }) => text);
  return {
    kind,
    maxCycles,
    seats: [],
    lessons: lessons.map(({ text }) => text),
    deferred: earlier.slice(-RUNS_REMEMBERED).map(({ workflow }) => workflow?.deferred ?? 0),
    cleanUp: cleanUp?.id ?? null,
    commands: report.toolCalls === 0 ? null : commands,
  };
}

const CLEAN_UP = /\b(?:clean[- ]?up|tech(?:nical)? debt|refactor\w*|tidy)\b/i;
