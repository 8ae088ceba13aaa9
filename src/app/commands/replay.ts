import { snakeKeys } from 'ralph-kit/snake-keys';
import { EXIT } from '../../domain/exit.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import type { Replay } from '../../replay/index.ts';
import { chooseRun } from '../records/choose-run.ts';
import { recordedRuns, replayFiles } from '../records/recorded-run.ts';
import { type DataOf, success } from '../result.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { workTreeAt } from '../setup/work-tree.ts';

export type ReplayInput = {
  readonly cwd: string;
  /** Id of a run, or its beginning; `latest` or `null`: the newest run. */
  readonly run: string | null;
};

export type ReplayResult = DataOf<typeof replay>;

/**
 * Decides a recorded run again from its facts, which is possible during a run. Exit code 0: equal decisions, or another
 * version of the deciding code; 1: different decisions; 2: there is no such run.
 */
export async function replay(input: ReplayInput) {
  const work = await workTreeAt(input.cwd);
  if (!work.ok) return work;
  const chosen = chooseRun(recordedRuns(ralphFolder(work).folder), input.run, 'ralph replay');
  if (!chosen.ok) return chosen;
  const replayed = replayFiles(work, chosen.run);
  return success(replayData(replayed), replayed.outcome === 'different' ? EXIT.unexpected : EXIT.ok);
}

type Part = Replay['whole'] | Replay['iterations'][number];

/** Only the report's own keys become snake_case; recorded and recomputed decisions keep theirs. */
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
