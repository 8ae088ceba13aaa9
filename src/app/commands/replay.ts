import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';
import type { Replay } from '../../replay/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import { recordedRuns, replayFiles } from './recorded-run.ts';

/** Runs that an answer to an unknown one names. */
const RUNS_SHOWN = 5;

export type ReplayInput = {
  readonly cwd: string;
  /** A run, or the beginning of its name; `latest` and `null` stand for the newest. */
  readonly run: string | null;
};

export type ReplayResult = DataOf<typeof replay>;

/**
 * `ralph replay [RUN]`: recomputes every decision of a run from the facts on record. Exit 0: all the same, or decided
 * by another version of the deciding code; 1: different; 2: no such run. Reads only, so it works beside a run.
 */
export async function replay(input: ReplayInput) {
  const work = await workTreeAt(input.cwd);
  if (!work.ok) return work;
  const chosen = chooseRun(recordedRuns(join(work.top, '.ralph')), input.run);
  if (!chosen.ok) return chosen;
  const replayed = replayFiles(work, chosen.run);
  return success(replayData(replayed), replayed.outcome === 'different' ? EXIT.unexpected : EXIT.ok);
}

function chooseRun(
  runs: readonly string[],
  wanted: string | null,
): { readonly ok: true; readonly run: string } | Failure {
  const newest = runs.at(-1);
  if (newest === undefined) return failure('There are no runs on record yet.', 'ralph run');
  if (wanted === null || wanted === 'latest') return { ok: true, run: newest };
  const matching = runs.includes(wanted) ? [wanted] : runs.filter((run) => run.startsWith(wanted));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return { ok: true, run: only };
  if (matching.length > 1) {
    return failure(`${matching.length} runs begin with ${wanted}: ${named(matching)}.`, 'ralph replay RUN');
  }
  const hint = didYouMean(wanted, runs);
  return failure(`There is no run ${wanted}.${hint} The newest: ${named(runs)}.`, 'ralph replay latest');
}

/** The newest first. */
function named(runs: readonly string[]): string {
  const shown = runs.slice(-RUNS_SHOWN).toReversed();
  return `${shown.join(', ')}${runs.length > shown.length ? ', …' : ''}`;
}

type Part = Replay['whole'] | Replay['iterations'][number];

/** What was recorded and recomputed stays as it is: only the keys of the report itself are in snake_case. */
function replayData({ iterations, whole, differences, ...rest }: Replay) {
  const part = <T extends Part>({ checked, differences: own, ...one }: T) => ({
    ...snakeKeys(one),
    decisions: checked.length,
    differences: own,
  });
  return {
    ...snakeKeys(rest),
    decider: DECIDER_VERSION,
    iterations: iterations.map(part),
    whole: part(whole),
    differences: differences.length,
  };
}
