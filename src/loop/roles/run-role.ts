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
  /** @param nonce What a reviewer's answer repeats; `null` for a planner. */
  readonly prompt: (nonce: string | null) => string;
  /** The tree of which it gets a copy. */
  readonly tree: string;
};

/** Characters of a nonce, of 36 each: 82 bits. */
const NONCE_LENGTH = 16;
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
  const copy = await context.ports.git.copyTree(task.tree);
  for (const { path, why } of copy.leftOut)
    context.ports.emit({
      kind: 'warning',
      message: `${path} isn't in the copy for ${role}: ${WHY_LEFT_OUT[why]}.`,
    });
  const reads = new Set<string>();
  const ask = async (within: string, promptOf: RoleTask['prompt']) => {
    const nonce = phase === 'check' ? context.ports.ids.random(NONCE_LENGTH) : null;
    const prompt = promptOf(nonce);
    store.writeDocument(`${path}${within}/prompt.md`, prompt);
    const asked = { ...task, prompt, nonce, name, model, copy: copy.shown };
    const turn = await takeTurn(context, chosen, begun, asked, `roles/${name}${within}`);
    for (const one of turn.reads) reads.add(one);
    return turn.turn;
  };
  try {
    const first = await ask('', task.prompt);
    const problem = phase === 'check' ? answerProblem(first) : null;
    const again = (nonce: string | null) => repairPrompt(task.prompt(nonce), problem ?? '', first.text);
    const turns = problem === null ? [first] : [first, await ask('/repair', again)];
    const last = turns.at(-1) ?? first;
    const answer = phase === 'check' ? readAnswer(last) : null;
    if (answer !== null) store.writeDocument(`${path}/answer.json`, `${JSON.stringify(answer, null, 1)}\n`);
    else store.writeDocument(`${path}/answer.md`, last.text);
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

type Asked = Omit<RoleTask, 'prompt'> & {
  readonly prompt: string;
  readonly nonce: string | null;
  readonly name: string;
  readonly copy: ShownCopy;
  readonly model: string | null;
};

async function takeTurn(
  context: LoopContext,
  chosen: Chosen,
  { facts, folder, path, ledger }: Begun,
  { role, agent, prompt, nonce, name, copy, model }: Asked,
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
      nonce,
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
