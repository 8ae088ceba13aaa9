import { didYouMean } from 'ralph-kit/nearest';
import { type Failure, failure } from '../result.ts';

const RUNS_SHOWN = 5;

/**
 * Finds a run by its id or the id's beginning; `latest` and `null` mean the newest. `runs` are sorted, oldest first.
 */
export function chooseRun(
  runs: readonly string[],
  wanted: string | null,
  command: string,
): { readonly ok: true; readonly run: string } | Failure {
  const newest = runs.at(-1);
  if (newest === undefined) return failure('There are no runs on record yet.', 'ralph run');
  if (wanted === null || wanted === 'latest') return { ok: true, run: newest };
  const matching = runs.includes(wanted) ? [wanted] : runs.filter((run) => run.startsWith(wanted));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return { ok: true, run: only };
  if (matching.length > 1) {
    return failure(
      `${matching.length} runs begin with ${wanted}: ${named(matching)}.`,
      `${command} ${matching[0]}`,
    );
  }
  const hint = didYouMean(wanted, runs);
  return failure(`There is no run ${wanted}.${hint} The newest: ${named(runs)}.`, `${command} latest`);
}

function named(runs: readonly string[]): string {
  const shown = runs.slice(-RUNS_SHOWN).toReversed();
  return `${shown.join(', ')}${runs.length > shown.length ? ', …' : ''}`;
}
