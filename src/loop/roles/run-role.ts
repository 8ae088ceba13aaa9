import type { ShownCopy } from '../../domain/box/box.ts';
import type { AgentProcessResult } from '../../domain/ports.ts';
import { roleFolder } from '../../domain/records/iteration-path.ts';
import {
  ANSWER_LIMIT,
  type RoleBesideMaker,
  type RoleRun,
  type RoleTurn,
  STARTED_ROLE,
  type StartedRole,
} from '../../domain/workflow/roles.ts';
import { outsideVerdict } from '../../findings/index.ts';
import { answerProblem, readAnswer, repairPrompt } from '../../roles/index.ts';
import { budgetOf } from '../budget-of.ts';
import type { LoopContext, SeatAgent } from '../context.ts';
import type { Begun } from '../iteration/begin.ts';
import type { Chosen } from '../iteration/chosen.ts';
import { runAgent } from '../iteration/run-agent.ts';
import { WHY_LEFT_OUT } from '../iteration/stand.ts';

type RoleTask = Pick<RoleRun, 'number' | 'phase' | 'replaced' | 'adversarial'> & {
  readonly role: RoleBesideMaker;
  readonly agent: SeatAgent;
  readonly prompt: string;
  /** The tree of which it gets a copy. */
  readonly tree: string;
};

/** Files that a record keeps as read by one agent. */
const READS_KEPT = 200;

/** Runs one agent in a role beside the maker, in a copy of its own; a reviewer whose answer isn't valid is asked once more. */
export async function runRole(
  context: LoopContext,
  chosen: Chosen,
  begun: Begun,
  task: RoleTask,
): Promise<RoleRun> {
  const { number, role, phase, agent, replaced, adversarial } = task;
  const { store } = context.ports;
  const { limits } = begun.facts.budget;
  const budget = budgetOf(
    context,
    { agent: agent.adapter.name, role },
    { limits, spent: begun.ledger.spent() },
  );
  const model = budget.model ?? agent.model;
  const name = roleFolder(task);
  const path = `${begun.path}/roles/${name}`;
  const started: StartedRole = { role, agent: agent.adapter.name, model };
  store.writeDocument(`${path}/${STARTED_ROLE}`, `${JSON.stringify(started)}\n`);
  store.writeDocument(`${path}/prompt.md`, task.prompt);
  const copy = await context.ports.git.copyTree(task.tree);
  for (const { path, why } of copy.leftOut)
    context.ports.emit({
      kind: 'warning',
      message: `${path} isn't in the copy for ${role}: ${WHY_LEFT_OUT[why]}.`,
    });
  const reads = new Set<string>();
  const ask = async (prompt: string, place: string) => {
    const asked = { ...task, prompt, name, model, copy: copy.shown };
    const turn = await takeTurn(context, chosen, begun, asked, place);
    for (const one of turn.reads) reads.add(one);
    return turn.turn;
  };
  try {
    const turns = [await ask(task.prompt, `roles/${name}`)];
    const problem = phase === 'check' ? answerProblem(turns[0]) : null;
    if (problem !== null) {
      const again = repairPrompt(task.prompt, problem, turns[0]?.text ?? '');
      store.writeDocument(`${path}/repair/prompt.md`, again);
      turns.push(await ask(again, `roles/${name}/repair`));
    }
    const answer = phase === 'check' ? readAnswer(turns.at(-1)?.text ?? '') : null;
    if (answer !== null) store.writeDocument(`${path}/answer.json`, `${JSON.stringify(answer, null, 1)}\n`);
    else store.writeDocument(`${path}/answer.md`, turns.at(-1)?.text ?? '');
    return {
      ...{ number, role, phase, replaced, adversarial, turns, budget, model },
      agent: agent.adapter.name,
      reads: [...reads].slice(0, READS_KEPT),
      wroteInCopy: [...(await copy.changed())],
    };
  } finally {
    copy.close();
  }
}

type Asked = RoleTask & { readonly name: string; readonly copy: ShownCopy; readonly model: string | null };

async function takeTurn(
  context: LoopContext,
  chosen: Chosen,
  { facts, folder, path, ledger }: Begun,
  { role, agent, prompt, name, copy, model }: Asked,
  place: string,
): Promise<{ readonly turn: RoleTurn; readonly reads: readonly string[] }> {
  const { adapter } = agent;
  const { ended, report, observed, closeLog } = await runAgent(context, {
    ...facts,
    ...{ adapter, prompt, ledger, resumed: null, review: chosen.reviewOf(adapter) },
    folder: `${folder}/${place}`,
    path: `${path}/${place}`,
    correction: () => null,
    copy,
    seat: { name, role, model },
  });
  closeLog();
  const { sessionId, usage, finalMessage } = report;
  return {
    turn: {
      ...{ end: ended.end, durationMs: Math.round(ended.durationMs), sessionId, model: report.model },
      trouble: troubleOf(ended, report),
      outside: outsideVerdict({ ...ended, report }),
      usage: [...usage],
      text: finalMessage.slice(0, ANSWER_LIMIT + 1),
      promptSha256: context.ports.ids.sha256(prompt),
    },
    reads: observed.actions.filter(({ kind }) => kind === 'file_read').flatMap(({ paths }) => paths),
  };
}

/** Why an agent could not work, or did not end as it should; `null`: it did. */
function troubleOf(
  { end, errorTail }: AgentProcessResult,
  { ok, infrastructure, errors }: Awaited<ReturnType<typeof runAgent>>['report'],
): string | null {
  const said = infrastructure?.message ?? errors.at(-1) ?? errorTail.trim().split('\n').at(-1) ?? '';
  const words = said === '' ? '' : `: ${said.slice(0, 200)}`;
  if (end.kind === 'spawn_failed') return end.message;
  if (end.kind === 'timed_out') return 'it timed out';
  if (end.kind === 'halted') return end.message;
  if (end.kind !== 'exited') return `it was ended (${end.kind})`;
  if (end.code !== 0) return `it exited with ${end.code}${words}`;
  return ok && infrastructure === null ? null : `it reported a failure${words}`;
}
