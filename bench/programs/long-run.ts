// Appends a run with a number of iterations to a journal: every other one did a task, after one that falsely claimed to
// have done it.
import { openTestStore } from '../../test/helpers/crash/test-store.ts';
import { attempt, event, finished, RUN, started } from '../../test/unit/state/records.ts';

const BATCH = 50;
const [dir = '', home = '', iterations = '0'] = process.argv.slice(2);
const run = 'r-20260120-203500-long';
const { store } = openTestStore(dir, home);

const bodies = (iteration: number, index: number) => {
  const taskId = `T-${Math.floor(index / 2)}`;
  const done = index % 2 === 1;
  const details = { task_id: taskId, agent: 'claude', completion_claimed: true };
  return [
    { ...started(iteration, taskId), run },
    {
      ...finished(iteration, {
        taskId,
        title: `Task ${taskId.slice(2)}`,
        taskStatus: done ? 'done' : 'open',
      }),
      run,
      attempt: attempt({ run, iteration, verdict: done ? 'done' : 'no_files' }),
      falseCompletion: !done,
      events: done ? [] : [event(iteration, { iteration, run, details })],
    },
  ];
};
store.commit(() => [{ ...RUN, run }]);
for (let index = 0; index < Number(iterations); index += BATCH) {
  store.commit(({ counters }) =>
    Array.from({ length: BATCH }, (_, at) => bodies(counters.iteration + 1 + at, index + at)).flat(),
  );
}
store.commit(() => [
  { type: 'run_finished', run, ending: 'max_iterations', exitCode: 3, recordSha256: '', head: null },
]);
