import { own } from 'ralph-kit/own';
import { isDoneHere, planReconciliation } from '../decide/index.ts';
import type { Config } from '../domain/config.ts';
import type { Ports } from '../domain/ports.ts';
import type { ReconcileFacts, Reconciliation } from '../domain/records/choice.ts';
import { type State, type TaskState, taskStateOf } from '../domain/records/state.ts';
import type { TaskStatus } from '../domain/task.ts';
import type { LoadedTracker } from './context.ts';
import { mustShow } from './settle-marks.ts';

type Reconciling = {
  readonly ports: Pick<Ports, 'store' | 'tracker'>;
  readonly config: { readonly git: Pick<Config['git'], 'commit'> };
};

/** Makes the task file agree with the journal. Returns the steps; `null`: they already agree. */
export async function reconcileTracker(
  { ports, config }: Reconciling,
  loaded: LoadedTracker,
  cutOff: boolean,
): Promise<Reconciliation | null> {
  // Only the marks of a file can disagree with the journal.
  if (loaded.paths.length === 0) return null;
  const { store, tracker } = ports;
  const facts = factsOf(loaded, store.state, cutOff, config.git.commit !== 'never');
  const steps = planReconciliation(facts);
  for (const step of steps) {
    switch (step.kind) {
      case 'mark':
        await mustShow(tracker, step.taskId, step.status);
        break;
      case 'unblock':
        store.commit((state) =>
          // Another command may have unblocked the task meanwhile.
          taskStateOf(state, step.taskId).blocked === null
            ? []
            : [
                {
                  type: 'task_unblocked',
                  taskId: step.taskId,
                  reason: 'the mark was taken away in the task file',
                  timeoutSeconds: null,
                  strategy: null,
                  automatic: false,
                  marked: false,
                  fresh: false,
                },
              ],
        );
        break;
      case 'accept':
        store.commit(() => [
          {
            type: 'tracker_accepted',
            sha256: loaded.sha256,
            reopened: step.reopened,
            opened: null,
            takenBack: step.takenBack,
          },
        ]);
    }
  }
  return steps.length === 0 ? null : { facts, steps };
}

function factsOf(
  { sha256, holdsBlocked, tasks, takenBack: back }: LoadedTracker,
  state: State,
  cutOff: boolean,
  commitsMarks: boolean,
): ReconcileFacts {
  const takenBack = new Set(back.map(({ taskId }) => taskId));
  return {
    sha256,
    accepted: state.trackerSha256,
    cutOff,
    holdsBlocked,
    commitsMarks,
    tasks: tasks.flatMap(({ id, title, status }): ReconcileFacts['tasks'] => {
      const taskState = own(state.tasks, id);
      if (taskState === undefined) return [];
      if (isStale(taskState, status, holdsBlocked)) {
        return [{ ...NEITHER, id, staleMark: true }];
      }
      if (status === 'done' || status === 'blocked') return [];
      const done = isDoneHere({ title }, taskState);
      const blocked = taskState.blocked !== null;
      const wasTakenBack = state.takenBack.includes(id);
      return done || blocked
        ? [
            {
              ...NEITHER,
              id,
              done,
              blocked,
              takenBack: takenBack.has(id),
              wasTakenBack,
              unmarked: taskState.unmarked,
            },
          ]
        : [];
    }),
  };
}

const NEITHER = {
  done: false,
  blocked: false,
  staleMark: false,
  takenBack: false,
  wasTakenBack: false,
  unmarked: false,
};

function isStale({ staleMark, blocked }: TaskState, status: TaskStatus, holdsBlocked: boolean): boolean {
  if (staleMark === 'blocked') return holdsBlocked && blocked === null && status !== 'done';
  return staleMark === 'done' && (status === 'done' || status === 'open');
}
