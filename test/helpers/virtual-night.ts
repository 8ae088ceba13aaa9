import { EMPTY_STATE } from '../../src/domain/records/state.ts';
import { type Crew, type Finished, openCrew } from '../../src/loop/crew.ts';
import { openTurns } from '../../src/loop/turns.ts';
import { openVirtualClock } from './virtual-clock.ts';

export type VirtualNight = {
  readonly tasks: number;
  readonly workers: number;
  /** Number of gates that may run at once. */
  readonly places: number;
  /** Seconds that an agent works on a task. */
  readonly agent: number;
  /** Seconds that the gates run on a result. */
  readonly gates: number;
};

/** Returns the seconds that a night takes with ralph's own crew and queue, on a clock that jumps to the next event. */
export async function virtualNight({ tasks, workers, places, agent, gates }: VirtualNight): Promise<number> {
  const clock = openVirtualClock();
  const turns = openTurns(places);
  const crew = virtualCrew(workers);
  const never = new AbortController().signal;
  const attempt = async (taskId: string): Promise<Finished> => {
    await clock.wait(agent);
    const turn = await turns.enter({ taskId, priority: () => null, lands: true }, never);
    await clock.wait(gates);
    turn.leave();
    return { taskId } as Finished;
  };
  const loop = async () => {
    for (let begun = 0, ended = 0; ended < tasks; ) {
      if (begun === tasks || crew.free() === 0) {
        await crew.next();
        ended += 1;
        continue;
      }
      begun += 1;
      const taskId = `T-${begun}`;
      crew.begin(crew.workerFor(taskId), { taskId, finished: attempt(taskId), stop: () => undefined });
    }
  };
  return clock.run(loop());
}

/** Returns ralph's crew of a number of workers whose copies are empty. */
export function virtualCrew(workers: number): Crew {
  const workerAt = (_: unknown, index: number) => ({
    ports: { work: { base: () => null } },
    workplace: { worker: index + 1, worktree: 'main' },
  });
  const all = Array.from({ length: workers }, workerAt);
  return openCrew({ workers: all, ports: { store: { state: EMPTY_STATE } }, run: 'r-1' } as never);
}
