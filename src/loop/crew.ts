import { controlOf } from '../domain/records/run-control.ts';
import { workplaceStateOf } from '../domain/records/state.ts';
import type { LoopContext, Worker } from './context.ts';
import type { IterationOutcome } from './start/chosen.ts';

type CrewContext = Pick<LoopContext, 'workers' | 'ports' | 'run'>;

/** An iteration that is over; `ms`: how long it took, by the monotonic clock. */
export type Finished = {
  readonly taskId: string;
  readonly agent: string;
  readonly ms: number;
  readonly outcome: IterationOutcome;
};

type Begun = {
  readonly taskId: string;
  readonly finished: Promise<Finished>;
  /** Asks it to end. */
  readonly stop: () => void;
};

/** Who works at what. */
export type Crew = {
  /** Ids of the tasks that are worked at, in the order in which they began. */
  readonly working: () => readonly string[];
  /** Workers that could start a task: neither at work nor stopped by you. */
  readonly free: () => number;
  /** The worker for a task: the one whose copy holds its work, else one whose copy holds no unfinished work. */
  readonly workerFor: (taskId: string) => Worker;
  readonly begin: (worker: Worker, work: Begun) => void;
  /** Ends the attempts of workers that you stopped, as far as they aren't judged yet. */
  readonly endStopped: () => void;
  /** Resolves once one is over; `next` gives it then. */
  readonly oneEnded: () => Promise<void>;
  /** The next one that is over. @throws what it threw, once all others are over, too. */
  readonly next: () => Promise<Finished>;
};

export function openCrew({ workers, ports: { store }, run }: CrewContext): Crew {
  type Ended = { readonly worker: Worker } & ({ readonly finished: Finished } | { readonly error: unknown });
  type AtWork = Pick<Begun, 'taskId' | 'stop'> & { readonly ended: Promise<Ended> };
  const atWork = new Map<Worker, AtWork>();
  const isStopped = ({ workplace }: Worker) =>
    controlOf(store.state, run).stoppedWorkers.includes(workplace.worker);
  const free = () => workers.filter((worker) => !atWork.has(worker) && !isStopped(worker));
  const first = () => Promise.race([...atWork.values()].map(({ ended }) => ended));
  return {
    working: () => [...atWork.values()].map(({ taskId }) => taskId),
    free: () => free().length,
    workerFor: (taskId) => {
      const holds = ({ ports }: Worker) => ports.work.base()?.taskId ?? null;
      const isUnfinished = (id: string | null) => id !== null && store.state.tasks[id]?.series != null;
      const [first, ...rest] = free();
      if (first === undefined) throw new Error('no worker is free');
      const all = [first, ...rest];
      return (
        all.find((one) => holds(one) === taskId) ?? all.find((one) => !isUnfinished(holds(one))) ?? first
      );
    },
    begin: (worker, { taskId, finished: work, stop }) => {
      const ended = work.then(
        (finished): Ended => ({ worker, finished }),
        (error: unknown): Ended => ({ worker, error }),
      );
      atWork.set(worker, { taskId, stop, ended });
    },
    endStopped: () => {
      for (const [worker, { stop }] of atWork)
        if (isStopped(worker) && workplaceStateOf(store.state, worker.workplace).openIteration !== null)
          stop();
    },
    oneEnded: async () => {
      await first();
    },
    next: async () => {
      const one = await first();
      atWork.delete(one.worker);
      if ('finished' in one) return one.finished;
      await Promise.all([...atWork.values()].map(({ ended }) => ended));
      throw one.error;
    },
  };
}
