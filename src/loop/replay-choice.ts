import { planAutoUnblock } from '../blocked/index.ts';
import type { ChoiceFacts, TaskListDocument } from '../domain/choice.ts';
import type { Task } from '../domain/task.ts';
import { chooseNext } from './choose.ts';
import { planReconciliation } from './reconcile-tracker.ts';
import type { Checks, Found } from './replay-checks.ts';
import type { RunJournal } from './replay-journal.ts';
import { listedTasks } from './run-documents.ts';

export type TaskLists = ReadonlyMap<string, Found<TaskListDocument>>;

/** The tasks that a choice went by; `null` when their list is not there any more. */
export function tasksOf(choice: ChoiceFacts, lists: TaskLists): readonly Task[] | null {
  const list = lists.get(choice.tasks);
  return list?.kind === 'read' ? listedTasks(list.value, choice.statuses) : null;
}

/** Chooses again, between a task and the end of the run; `recorded` is what was chosen. */
export function checkChoice(
  checks: Checks,
  choice: ChoiceFacts,
  recorded: { readonly taskId: string; readonly why: string | undefined } | { readonly ending: unknown },
  known: { readonly tasks: readonly Task[] | null; readonly agent: string; readonly journal: RunJournal },
): void {
  for (const { facts, steps } of choice.reconciled) {
    checks.decision('reconciliation', steps, planReconciliation(facts));
  }
  for (const { unblocked, ...facts } of choice.autoUnblocked ?? []) {
    checks.decision('unblocking', unblocked, planAutoUnblock(facts));
  }
  const state = known.journal.stateAt(choice.seq);
  if (state !== null) {
    const { suspended, idleIterations } = choice;
    checks.record(
      'choice.facts',
      { suspended, idleIterations },
      {
        suspended: state.profiles[known.agent]?.suspended ?? null,
        idleIterations: state.idleIterations,
      },
    );
  }
  if (known.tasks === null) {
    checks.missing('choice');
    return;
  }
  const { asked } = choice;
  const states = asked === null ? {} : Object.fromEntries([[asked.id, asked.state]]);
  const again = chooseNext(choice, { tasks: known.tasks, states, agent: known.agent });
  checks.decision(
    'choice',
    recorded,
    again.kind === 'task' ? { taskId: again.task.id, why: again.why } : { ending: again.ending },
  );
}
