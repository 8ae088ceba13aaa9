import type { LoopContext, Worker } from './context.ts';
import type { IterationOutcome } from './start/chosen.ts';

/** An iteration that is over; `ms`: how long it took, by the monotonic clock. */
export type Finished = {
  readonly taskId: string;
  readonly agent: string;
  readonly ms: number;
  readonly outcome: IterationOutcome;
};

/** Who works at what. */
export type Crew = {
  /** Ids of the tasks that are worked at, in the order in which they began. */
  readonly working: () => readonly string[];
  readonly isFull: () => boolean;
  /** The worker for a task: the one whose copy holds its work, else one whose copy holds no unfinished work. */
  readonly workerFor: (taskId: string) => Worker;
  readonly begin: (worker: Worker, taskId: string, work: Promise<Finished>) => void;
  /** The next one that is over. @throws what it threw, once all others are over, too. */
  readonly next: () => Promise<Finished>;
};

export function openCrew({ workers, ports: { store } }: Pick<LoopContext, 'workers' | 'ports'>): Crew {
  type Ended = { readonly worker: Worker } & ({ readonly finished: Finished } | { readonly error: unknown });
  const atWork = new Map<Worker, { readonly taskId: string; readonly ended: Promise<Ended> }>();
  const free = () => workers.filter((worker) => !atWork.has(worker));
  return {
    working: () => [...atWork.values()].map(({ taskId }) => taskId),
    isFull: () => free().length === 0,
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
    begin: (worker, taskId, work) => {
      const ended = work.then(
        (finished): Ended => ({ worker, finished }),
        (error: unknown): Ended => ({ worker, error }),
      );
      atWork.set(worker, { taskId, ended });
    },
    next: async () => {
      const one = await Promise.race([...atWork.values()].map(({ ended }) => ended));
      atWork.delete(one.worker);
      if ('finished' in one) return one.finished;
      await Promise.all([...atWork.values()].map(({ ended }) => ended));
      throw one.error;
    },
  };
}
