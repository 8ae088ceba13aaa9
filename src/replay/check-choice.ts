import { match } from 'ralph-kit/match';
import {
  agentAvailability,
  type Choice,
  chooseAgent,
  chooseNext,
  planAutoUnblock,
  planReconciliation,
} from '../decide/index.ts';
import { pausingIncident, waitingIncidents } from '../domain/incident.ts';
import { type ChoiceFacts, listedTasks, type TaskListDocument } from '../domain/records/choice.ts';
import { controlOf } from '../domain/records/run-control.ts';
import type { Task } from '../domain/task.ts';
import { decidePolicy } from '../respond/policy/index.ts';
import type { Checks, StoredDocument } from './checks.ts';
import type { RunJournal } from './run-journal.ts';

export type TaskLists = ReadonlyMap<string, StoredDocument<TaskListDocument>>;

/** Returns the tasks that a choice was made from; `null` if their list is gone. */
export function tasksOf(choice: ChoiceFacts, lists: TaskLists): readonly Task[] | null {
  const list = lists.get(choice.tasks);
  return list?.kind === 'read' ? listedTasks(list.value, choice.statuses) : null;
}

/** Chooses again between a task and the end of the run. `recorded` is the choice on record. */
export function checkChoice(
  checks: Checks,
  choice: ChoiceFacts,
  recorded:
    | { readonly taskId: string; readonly why: string; readonly agent: string }
    | { readonly ending: unknown },
  known: { readonly tasks: readonly Task[] | null; readonly journal: RunJournal },
): void {
  for (const { facts, steps } of choice.reconciled) {
    checks.decision('reconciliation', steps, planReconciliation(facts));
  }
  for (const { unblocked, ...facts } of choice.autoUnblocked) {
    checks.decision('unblocking', unblocked, planAutoUnblock(facts));
  }
  for (const { facts, wait } of choice.waits) {
    const again = chooseAgent(facts);
    checks.decision('waiting', wait, again.kind === 'wait' ? again.wait : again);
  }
  for (const { facts, due } of choice.checkpoints) {
    const again = decidePolicy(facts);
    checks.decision('checkpoint', due, again.kind === 'checkpoint' ? again.due : again);
  }
  const state = known.journal.stateAt(choice.seq);
  if (state !== null) {
    const { idleIterations, availability, incident, waiting, control, policy } = choice;
    const { needing: _, ...outage } = choice.outage ?? { needing: [] };
    const { agents } = availability;
    const names = agents.map(({ name }) => name);
    checks.record(
      'choice.facts',
      { idleIterations, agents, outage, incident, waiting, control, policy: onRecord(policy) },
      {
        idleIterations: state.idleIterations,
        agents: agentAvailability(state, names),
        outage: state.outage ?? {},
        incident: pausingIncident(state)?.id ?? null,
        waiting: waitingIncidents(state).map(({ id }) => id),
        control: controlOf(state, known.journal.run),
        policy: onRecord({
          ...policy,
          spent: state.policy.budget.spent,
          checkpoint: { ...policy.checkpoint, done: state.policy.checkpoint.done },
          quality: state.policy.quality,
          armed: state.policy.armed,
        }),
      },
    );
  }
  if (known.tasks === null) {
    checks.missing('choice');
    return;
  }
  // A task's number of attempts decides its turn. If the journal doesn't go back far enough, only the tasks in `asked` are known.
  const states = state?.tasks ?? Object.fromEntries(choice.asked.map(({ id, state }) => [id, state]));
  const again = chooseNext(choice, { tasks: known.tasks, states });
  checks.decision('choice', recorded, chosenAgain(again));
}

/** Returns the policies' facts that the journal knows, which is all but the elapsed time. */
function onRecord({ spent, checkpoint, quality, armed }: ChoiceFacts['policy']): unknown {
  const { usd, tokens, iterations } = spent;
  return { usd, tokens, iterations, done: checkpoint.done, quality, armed };
}

function chosenAgain(choice: Choice): unknown {
  return match(choice, 'kind', {
    task: (choice) => ({ taskId: choice.task.id, why: choice.why, agent: choice.agent }),
    wait: (choice) => ({ wait: choice.wait }),
    paused: (choice) => ({ paused: choice.since }),
    busy: () => 'busy',
    gate_down: ({ until }) => ({ until }),
    checkpoint: ({ due }) => ({ checkpoint: due }),
    end: (choice) => ({ ending: choice.ending }),
  });
}
