import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';
import type { Replay } from '../../replay/index.ts';
import { chooseRun } from '../records/choose-run.ts';
import { recordedRuns, replayFiles } from '../records/recorded-run.ts';
import { type DataOf, success } from '../result.ts';
import { workTreeAt } from '../setup/work-tree.ts';

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
  const chosen = chooseRun(recordedRuns(join(work.top, '.ralph')), input.run, 'ralph replay');
  if (!chosen.ok) return chosen;
  const replayed = replayFiles(work, chosen.run);
  return success(replayData(replayed), replayed.outcome === 'different' ? EXIT.unexpected : EXIT.ok);
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
