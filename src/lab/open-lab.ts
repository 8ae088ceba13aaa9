import type { CommandRun, Purpose } from '../domain/command-run.ts';

/** The result of a command. `key`: everything that it depends on; `null`: unknown. */
export type Answer = { readonly key: string | null; readonly run: CommandRun };

/**
 * Purposes for which an earlier run's result can be reused. All others look for changes since then, so they always run.
 */
const ANSWERED: ReadonlySet<Purpose> = new Set([
  ...(['deciding', 'check-before', 'check'] as const),
  ...(['taken-back', 'old-tests', 'broken-code'] as const),
]);

/**
 * Returns an earlier result with this key; `null`: there is none. A failure without the work isn't reused, because its
 * outside cause may be over.
 */
export function answerFor(answers: readonly Answer[], key: string | null, why: Purpose): CommandRun | null {
  if (key === null || !ANSWERED.has(why)) return null;
  const at = answers.findLastIndex((one) => one.key === key);
  const run = answers[at]?.run ?? null;
  if (run === null || run.outcome.kind === 'passed') return run;
  const isOutside = answers.some(
    ({ run: other }) =>
      other.why === 'since-when' && other.name === run.name && other.outcome.kind !== 'passed',
  );
  return run.outcome.kind === 'failed' && !isOutside ? run : null;
}

export type Lab = {
  readonly answer: (key: string | null, why: Purpose) => CommandRun | null;
  /** Records a run for a folder. `answer.key`: `null` if the run repeats an earlier result. */
  readonly note: (folder: string, answer: Answer) => void;
  readonly decides: (folder: string, run: CommandRun) => void;
  /** Returns the runs of a folder in the order of time. */
  readonly runsFor: (folder: string) => readonly CommandRun[];
  /** Remembers under which key gates see a tree (`Work.keyOf`). */
  readonly see: (tree: string, key: string) => void;
  /** Returns the runs on all trees in which gates see the same files. */
  readonly runsOn: (key: string) => readonly CommandRun[];
};

const MOST_ANSWERS = 300;
/** Maximum number of folders whose runs are remembered, more than there are workers. */
const MOST_FOLDERS = 50;

export function openLab(): Lab {
  const answers: Answer[] = [];
  const runs = new Map<string, CommandRun[]>();
  const keys = new Map<string, string>();
  return {
    answer: (key, why) => answerFor(answers, key, why),
    note: (folder, answer) => {
      if (answer.key !== null || answer.run.why === 'since-when') answers.push(answer);
      if (answers.length > MOST_ANSWERS) answers.shift();
      const there = runs.get(folder);
      if (there !== undefined) there.push(answer.run);
      else runs.set(folder, [answer.run]);
      const [oldest] = runs.keys();
      if (runs.size > MOST_FOLDERS && oldest !== undefined) runs.delete(oldest);
    },
    decides: (folder, run) => {
      const there = runs.get(folder) ?? [];
      runs.set(
        folder,
        there.map((one) => (one === run ? { ...run, why: 'deciding' } : one)),
      );
    },
    runsFor: (folder) => runs.get(folder) ?? [],
    see: (tree, key) => void keys.set(tree, key),
    runsOn: (key) => [...runs.values()].flat().filter(({ tree }) => keys.get(tree) === key),
  };
}
