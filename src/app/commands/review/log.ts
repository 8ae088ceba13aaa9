import { join } from 'node:path';
import { olderLogOf, readFileBytes } from '../../../io/store/index.ts';
import type { ReviewDecision, ReviewRecord } from '../../../lib/actions/review-record.ts';
import { isObject } from '../../../lib/is-object.ts';
import { iterationFolders, textOf } from '../../records/iteration-files.ts';
import { type DataOf, success } from '../../result.ts';
import { ownReviewsOf } from '../../setup/review-setup.ts';
import { inWorkspace, type ProjectInput } from '../../setup/workspace.ts';

export type ReviewLogInput = ProjectInput & {
  readonly last: number;
  /** Only reviews with this result. */
  readonly decision: ReviewDecision | null;
  /** Those of agents that you use yourself (`ralph review hook`), in place of those of runs. */
  readonly interactive: boolean;
  /** Only those of this iteration. */
  readonly iteration: number | null;
};

export type ReviewLogResult = DataOf<typeof reviewLog>;

/** `ralph review log`: what was reviewed, oldest first; the newest of it. */
export function reviewLog(input: ReviewLogInput) {
  const { last, decision, iteration, interactive } = input;
  return inWorkspace(input, (workspace) => {
    const { root } = workspace;
    if (interactive)
      return success({ reviews: ownReviews(ownReviewsOf(workspace), input), folder: workspace.stateHome });
    const folders = iterationFolders(root).filter((one) => iteration === null || one.iteration === iteration);
    let reviews: readonly ReviewRecord[] = [];
    // From the newest on: older ones aren't read where there are enough.
    for (const folder of folders.toReversed()) {
      if (reviews.length >= last) break;
      reviews = [...wanted(linesOf(textOf(folder, 'reviews.jsonl')), decision), ...reviews];
    }
    return success({ reviews: newest(reviews, last), folder: join('.ralph', 'runs') });
  });
}

/** The log of `ralph review hook`, with the older lines that it still has. */
function ownReviews(path: string, { last, decision }: ReviewLogInput): readonly ReviewRecord[] {
  const texts = [olderLogOf(path), path].map(logText);
  return newest(wanted(texts.flatMap(linesOf), decision), last);
}

function logText(path: string): string {
  try {
    return readFileBytes(path).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function wanted(reviews: readonly ReviewRecord[], decision: ReviewDecision | null): readonly ReviewRecord[] {
  return decision === null ? reviews : reviews.filter((review) => review.decision === decision);
}

function newest(reviews: readonly ReviewRecord[], last: number): readonly ReviewRecord[] {
  return reviews.slice(Math.max(0, reviews.length - last));
}

/** A line that was cut off, as the loop was killed while it was written, is left out. */
function linesOf(text: string): ReviewRecord[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const read: unknown = JSON.parse(line);
      return isObject(read) ? [read as ReviewRecord] : [];
    } catch {
      return [];
    }
  });
}
