import type { Plan, Planner, RoleRun } from '../../domain/workflow/roles.ts';
import { plannerPrompt, plannerSigns, planners, planOf, taskSummary } from '../../respond/roles/index.ts';
import type { LoopContext, WorkflowSetup } from '../context.ts';
import { promptsFrom, type StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import { agentFor, roleLabel } from './role-agent.ts';
import { runRole } from './run-role.ts';

export type Planned = {
  readonly runs: readonly RoleRun[];
  readonly plan: Plan | null;
  readonly planMs: number;
};

type Outcome = { readonly started: StartedIteration; readonly planned: Planned | null };

export async function planPhase(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
): Promise<Outcome> {
  const { workflow: setup, ports } = context;
  if (setup === null) return { started, planned: null };
  const task = started.facts.taskState.workflow;
  const roles = planners(setup.kind, task);
  const nothing = { runs: [], plan: task?.plan ?? null, planMs: 0 };
  if (roles.length === 0) return { started, planned: nothing };
  const start = ports.clock.monotonicMs();
  ports.store.commit([
    {
      type: 'roles_started',
      phase: 'plan',
      roles: roles.map((role) => roleLabel(setup, started, role)),
    },
  ]);
  const runs: RoleRun[] = [];
  for (const role of roles) await plan(context, chosen, started, { setup, role, runs });
  const made = planFrom(runs);
  const planMs = Math.round(ports.clock.monotonicMs() - start);
  ports.store.commit([
    {
      type: 'roles_finished',
      role: null,
      results: runs.map(({ role, turns }) => ({ role, outcome: turns.at(-1)?.trouble ?? 'done' })),
    },
  ]);
  const planned = { runs, plan: made, planMs };
  return { started: made === null ? started : withPlan(context, chosen, started, made), planned };
}

type Planning = { readonly setup: WorkflowSetup; readonly role: Planner; readonly runs: RoleRun[] };

/** Runs the planners. A planner that overdoes its strength (its shadow) is corrected once. */
async function plan(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
  planning: Planning,
): Promise<void> {
  const { setup, role, runs } = planning;
  const assigned = agentFor(setup, started, role);
  if (assigned === null || context.ports.stop.polite.aborted) return;
  const ask = async () => {
    const run = await runRole(context, chosen, started, {
      number: runs.length + 1,
      role,
      phase: 'plan',
      agent: assigned.agent,
      replaced: assigned.isAnother,
      adversarial: false,
      read: null,
      prompt: () => plannerPrompt(started, role, runs),
      tree: started.before.tree,
    });
    runs.push(run);
    return run;
  };
  const first = await ask();
  const corrections = plannerSigns(first, taskSummary(started.facts.task));
  if (corrections.length > 0 && !context.ports.stop.polite.aborted) await ask();
}

/** Returns the creator's last answer as the plan; `null`: there is no creator that could work. */
function planFrom(runs: readonly RoleRun[]): Plan | null {
  const turn = runs.findLast(({ role }) => role === ('creator' satisfies Planner))?.turns.at(-1);
  if (turn === undefined || turn.trouble !== null || turn.text.trim() === '') return null;
  return { text: turn.text.slice(0, PLAN_LIMIT), files: [...planOf(turn.text).files] };
}

/** Maximum number of characters of a plan in the maker's prompt. */
const PLAN_LIMIT = 12_000;

function withPlan(
  { ports }: LoopContext,
  { tasks }: Chosen,
  started: StartedIteration,
  made: Plan,
): StartedIteration {
  const { inputs, facts, path } = started;
  const again = promptsFrom(ports.store, inputs, { ...facts, tasks, workflow: { plan: made } });
  if (!again.ok) return started;
  const { prompt, wholePrompt } = again;
  ports.store.writeDocument(`${path}/prompt.md`, prompt);
  ports.store.writeDocument(`${path}/plan.md`, made.text);
  return {
    ...started,
    prompt,
    wholePrompt,
    facts: { ...facts, promptSha256: ports.ids.sha256(prompt), promptText: prompt },
  };
}
