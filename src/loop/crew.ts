import { controlOf } from '../domain/records/run-control.ts';
import { workplaceStateOf } from '../domain/records/state.ts';
import type { LoopContext, Worker } from './context.ts';
import type { IterationOutcome } from './start/chosen.ts';

type CrewContext = Pick<LoopContext, 'workers' | 'ports' | 'run'>;

/** A finished iteration. `ms`: its duration in milliseconds. */
export type Finished = {
  readonly taskId: string;
  readonly agent: string;
  readonly ms: number;
  readonly outcome: IterationOutcome;
};

type Begun = {
  readonly taskId: string;
  readonly finished: Promise<Finished>;
  readonly stop: () => void;
};

export type Crew = {
  /** Returns ids of the running tasks, in the order of their starts. */
  readonly working: () => readonly string[];
  /** Returns the number of workers that could start a task: they aren't working, and you haven't stopped them. */
  readonly free: () => number;
  /**
   * Returns a free worker for a task: preferably the one whose copy has the task's work, otherwise one whose copy has
   * no unfinished work. @throws Error if none is free
   */
  readonly workerFor: (taskId: string) => Worker;
  readonly begin: (worker: Worker, work: Begun) => void;
  /** Ends the attempts of workers that you stopped, unless an attempt is already being judged. */
  readonly endStopped: () => void;
  /** Resolves once an iteration has ended. `next` then returns that iteration. */
  readonly oneEnded: () => Promise<void>;
  /** Returns the next finished iteration. @throws the error of a failed iteration, once all others have ended */
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
