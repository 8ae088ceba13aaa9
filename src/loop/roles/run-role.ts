import type { AgentReport } from 'ralph-agents/event';
import type { MountedCopy } from 'ralph-box/protocol';
import { lastErrorIn } from 'ralph-kit/error-line';
import type { AgentProcessResult } from '../../domain/ports.ts';
import { roleFolder } from '../../domain/records/iteration-path.ts';
import { CONSEQUENCES } from '../../domain/service.ts';
import type { OutsideVerdict } from '../../domain/verdict.ts';
import type { AnswerRead } from '../../domain/workflow/answer-block.ts';
import {
  ANSWER_LIMIT,
  type RoleRun,
  type RoleTurn,
  STARTED_ROLE,
  type StartedRole,
  type SupportRole,
} from '../../domain/workflow/roles.ts';
import { outsideVerdict } from '../../proof/findings/index.ts';
import { repairPrompt } from '../../respond/roles/index.ts';
import { budgetOf } from '../budget-of.ts';
import type { LoopContext, RoleAgent } from '../context.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import { runAgent } from '../start/run-agent.ts';

type RoleTask<R extends SupportRole> = Pick<RoleRun, 'number' | 'phase' | 'replaced' | 'adversarial'> & {
  readonly role: R;
  readonly agent: RoleAgent;
  /** Reads the answer; `null`: the answer is used unchanged. */
  readonly read: ((turn: RoleTurn) => AnswerRead<unknown> | Promise<AnswerRead<unknown>>) | null;
  /** How often an invalid answer is asked for again; absent: once. */
  readonly repairs?: number;
  /**
   * Returns the prompt.
   * @param nonce Code that the answer has to repeat; `null`: the answer isn't parsed.
   */
  readonly prompt: (nonce: string | null) => string;
  readonly tree: string;
};

export type RoleBasis = Pick<StartedIteration, 'ledger' | 'folder' | 'path'> & {
  readonly facts: Pick<
    StartedIteration['facts'],
    'task' | 'taskState' | 'iteration' | 'attempt' | 'timeoutSeconds' | 'limits' | 'resumed' | 'budget'
  >;
};

/** Characters of a nonce, each one of 36, which gives 82 bits. */
const NONCE_LENGTH = 16;
const READS_KEPT = 200;

export async function runRole<R extends SupportRole>(
  context: LoopContext,
  chosen: Pick<Chosen, 'reviewOf'>,
  basis: RoleBasis,
  task: RoleTask<R>,
): Promise<Omit<RoleRun, 'role'> & { readonly role: R }> {
  const { number, role, phase, agent, replaced, adversarial, read, repairs = 1 } = task;
  const { store } = context.ports;
  const { limits } = basis.facts.budget;
  const budget = budgetOf(
    context,
    { agent: agent.adapter.name, role },
    { limits, spent: basis.ledger.spent() },
  );
  const model = budget.model ?? agent.model;
  const name = roleFolder(task);
  const path = `${basis.path}/roles/${name}`;
  const started: StartedRole = { role, agent: agent.adapter.name, model };
  store.writeDocument(`${path}/${STARTED_ROLE}`, `${JSON.stringify(started)}\n`);
  const copy = await context.ports.git.copyTree(task.tree);
  for (const large of copy.leftOut)
    context.ports.store.commit([
      {
        type: 'warned',
        message: `${large} isn't in the copy for ${role}: it is larger than 2 GB.`,
      },
    ]);
  const reads = new Set<string>();
  const ask = async (within: string, promptOf: RoleTask<R>['prompt']) => {
    const nonce = read === null ? null : context.ports.ids.random(NONCE_LENGTH);
    const prompt = promptOf(nonce);
    store.writeDocument(`${path}${within}/prompt.md`, prompt);
    const asked = { ...task, prompt, nonce, name, model, copy: copy.mounted };
    const turn = await takeTurn(context, chosen, basis, asked, `roles/${name}${within}`);
    for (const one of turn.reads) reads.add(one);
    return turn.turn;
  };
  try {
    let last = await ask('', task.prompt);
    const turns = [last];
    for (let at = 1; read !== null && at <= repairs; at += 1) {
      const [problem, { text }] = [await problemIn(read, last), last];
      if (problem === null) break;
      const again = (nonce: string | null) => repairPrompt(task.prompt(nonce), problem, text);
      last = await ask(at === 1 ? '/repair' : `/repair-${at}`, again);
      turns.push(last);
    }
    const answer = read === null ? null : await read(last);
    if (answer !== null) store.writeDocument(`${path}/answer.json`, `${JSON.stringify(answer, null, 1)}\n`);
    else store.writeDocument(`${path}/answer.md`, last.text);
    return {
      number,
      role,
      phase,
      replaced,
      adversarial,
      turns,
      budget,
      model,
      agent: agent.adapter.name,
      reads: [...reads].slice(0, READS_KEPT),
      wroteInCopy: [...(await copy.changed())],
    };
  } finally {
    copy.close();
  }
}

/** Returns what is wrong with an answer; `null`: it is valid, or the agent couldn't work. */
async function problemIn(
  read: NonNullable<RoleTask<SupportRole>['read']>,
  turn: RoleTurn,
): Promise<string | null> {
  if (turn.trouble !== null) return null;
  const answer = await read(turn);
  return answer.ok ? null : answer.problem;
}

type Asked = Omit<RoleTask<SupportRole>, 'prompt'> & {
  readonly prompt: string;
  readonly nonce: string | null;
  readonly name: string;
  readonly copy: MountedCopy;
  readonly model: string | null;
};

async function takeTurn(
  context: LoopContext,
  chosen: Pick<Chosen, 'reviewOf'>,
  { facts, folder, path, ledger }: RoleBasis,
  { role, agent, prompt, nonce, name, copy, model }: Asked,
  place: string,
): Promise<{ readonly turn: RoleTurn; readonly reads: readonly string[] }> {
  const { adapter } = agent;
  const { ended, report, observed, closeLog } = await runAgent(context, {
    ...facts,
    adapter,
    prompt,
    ledger,
    resumed: null,
    review: chosen.reviewOf(adapter),
    folder: `${folder}/${place}`,
    promptFile: `${folder}/${place}/prompt.md`,
    path: `${path}/${place}`,
    correction: () => null,
    copy,
    support: { name, role, model },
  });
  closeLog();
  const { sessionId, usage, finalMessage } = report;
  return {
    turn: {
      end: ended.end,
      durationMs: Math.round(ended.durationMs),
      sessionId,
      model: report.model,
      trouble: troubleOf(ended, report),
      outside: ofRole(outsideVerdict({ ...ended, report })),
      usage: [...usage],
      text: finalMessage.slice(0, ANSWER_LIMIT + 1),
      promptSha256: context.ports.ids.sha256(prompt),
      nonce,
    },
    reads: observed.actions.filter(({ kind }) => kind === 'file_read').flatMap(({ paths }) => paths),
  };
}

/**
 * Returns a cause outside the work. A cause in this one request becomes `null`: it counts as the role's failure, so
 * that another agent is asked.
 */
function ofRole(outside: OutsideVerdict | null): OutsideVerdict | null {
  return outside !== null && CONSEQUENCES[outside.kind].concerns === 'task' ? null : outside;
}

/** Returns why an agent couldn't work or ended badly; `null`: it ended well. */
function troubleOf(
  { end, errorTail }: AgentProcessResult,
  { ok, infrastructure, errors }: AgentReport,
): string | null {
  const reason = infrastructure?.message ?? errors.at(-1) ?? lastErrorIn(errorTail);
  const words = reason === '' ? '' : `: ${reason.slice(0, 200)}`;
  if (end.kind === 'spawn_failed') return end.message;
  if (end.kind === 'timed_out') return 'it timed out';
  if (end.kind === 'halted') return end.message;
  if (end.kind !== 'exited') return `it was ended (${end.kind})`;
  if (end.code !== 0) return `it exited with ${end.code}${words}`;
  return ok && infrastructure === null ? null : `it reported a failure${words}`;
}
