import { EMPTY_STATE } from '../../src/domain/records/state.ts';
import { type Finished, openCrew } from '../../src/loop/crew.ts';
import { openTurns } from '../../src/loop/turns.ts';

export type VirtualNight = {
  readonly tasks: number;
  readonly workers: number;
  /** Gates that may run at once. */
  readonly places: number;
  /** How long an agent works at a task, in seconds. */
  readonly agent: number;
  /** How long the gates run on a result, in seconds. */
  readonly gates: number;
};

/** Seconds that a night takes by ralph's own crew and queue, on a clock that jumps to what comes next. */
export async function virtualNight({ tasks, workers, places, agent, gates }: VirtualNight): Promise<number> {
  const clock = openClock();
  const turns = openTurns(places);
  const workerAt = (_: unknown, index: number) => ({
    ports: { work: { base: () => null } },
    workplace: { worker: index + 1, worktree: 'main' },
  });
  const all = Array.from({ length: workers }, workerAt);
  const crew = openCrew({ workers: all, ports: { store: { state: EMPTY_STATE } }, run: 'r-1' } as never);
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

function openClock() {
  type Alarm = { readonly at: number; readonly ring: () => void };
  let [now, alarms] = [0, [] as Alarm[]];
  const goOn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    wait: (seconds: number) =>
      new Promise<void>((resolve) => {
        alarms.push({ at: now + seconds, ring: resolve });
      }),
    /** The time once all of it has come to its end. */
    run: async (work: Promise<void>): Promise<number> => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      for (await goOn(); !isOver; await goOn()) {
        const at = Math.min(...alarms.map((alarm) => alarm.at));
        if (!Number.isFinite(at)) throw new Error('everything waits, and nothing comes');
        now = at;
        const due = alarms.filter((alarm) => alarm.at === now);
        alarms = alarms.filter((alarm) => alarm.at !== now);
        for (const { ring } of due) ring();
      }
      await over;
      return now;
    },
  };
}
