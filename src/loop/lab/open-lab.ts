import type { CommandRun, Purpose } from '../../domain/command-run.ts';

/** A run, with all that its result depends on; `null`: that isn't known. */
export type Answer = { readonly key: string | null; readonly run: CommandRun };

/** All others look for what may have changed: back to back, since when, on your branch, or before there was anything to know. */
const ANSWERED: ReadonlySet<Purpose> = new Set([
  ...(['deciding', 'check-before', 'check'] as const),
  ...(['taken-back', 'old-tests', 'broken-code'] as const),
]);

/**
 * The run that answers what would be asked by another one; `null`: none does. A red one answers nothing once its gate was red without the
 * work, too: what made it so may be over.
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

/** All commands that ran in this run of ralph, and the answers that they gave. */
export type Lab = {
  readonly answer: (key: string | null, why: Purpose) => CommandRun | null;
  /** Notes a run for what is on record in a folder; an answer that another one gave has no key. */
  readonly note: (folder: string, answer: Answer) => void;
  /** It decides after all. */
  readonly decides: (folder: string, run: CommandRun) => void;
  /** All that was asked for what is on record there, in that order. */
  readonly runsFor: (folder: string) => readonly CommandRun[];
  /** Notes what gates see of a tree (`Work.keyOf`). */
  readonly see: (tree: string, key: string) => void;
  /** All that was asked on trees of which gates see the same. */
  readonly runsOn: (key: string) => readonly CommandRun[];
};

/** Answers that are kept, the newest. */
const MOST_ANSWERS = 300;
/** Folders of which runs are kept: those of the workers that are at work, with room to spare. */
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
