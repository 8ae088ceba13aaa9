import { join } from 'node:path';
import type { ReviewDecision, ReviewRecord } from 'ralph-actions/forms/record';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { isObject } from 'ralph-kit/is-object';
import { tryOr } from 'ralph-kit/try-or';
import { olderLogOf } from '../../../store/index.ts';
import { iterationFolders, textOf } from '../../records/iteration-files.ts';
import { type DataOf, success } from '../../result.ts';
import { ownReviewsOf } from '../../setup/review-setup.ts';
import { inWorkspace, type ProjectInput } from '../../setup/workspace.ts';

export type ReviewLogInput = ProjectInput & {
  readonly last: number;
  readonly decision: ReviewDecision | null;
  /** True: returns reviews of agents that you use yourself (`ralph review hook`); false: reviews of runs. */
  readonly interactive: boolean;
  readonly iteration: number | null;
};

export type ReviewLogResult = DataOf<typeof reviewLog>;

export function reviewLog(input: ReviewLogInput) {
  const { last, iteration, interactive } = input;
  return inWorkspace(input, (workspace) => {
    const { folder } = workspace;
    if (interactive)
      return success({ reviews: ownReviews(ownReviewsOf(workspace), input), folder: workspace.stateHome });
    const folders = iterationFolders(folder).filter(
      (one) => iteration === null || one.iteration === iteration,
    );
    let reviews: readonly ReviewRecord[] = [];
    // Folders are read from the newest to the oldest, so that reading can stop early.
    for (const folder of folders.toReversed()) {
      if (reviews.length >= last) break;
      reviews = [...wanted(linesOf(textOf(folder, 'reviews.jsonl')), input), ...reviews];
    }
    return success({ reviews: wanted(reviews, input), folder: join('.ralph', 'runs') });
  });
}

function ownReviews(path: string, input: ReviewLogInput): readonly ReviewRecord[] {
  const texts = [olderLogOf(path), path].map(logText);
  return wanted(texts.flatMap(linesOf), input);
}

function logText(path: string): string {
  try {
    return readFileBytes(path).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function wanted(
  reviews: readonly ReviewRecord[],
  { last, decision }: Pick<ReviewLogInput, 'last' | 'decision'>,
): readonly ReviewRecord[] {
  const all = decision === null ? reviews : reviews.filter((review) => review.decision === decision);
  return all.slice(Math.max(0, all.length - last));
}

/** The last line is left out if it is incomplete because ralph was killed. */
function linesOf(text: string): ReviewRecord[] {
  return text.split('\n').flatMap((line) => {
    const read: unknown = line === '' ? null : tryOr(null, () => JSON.parse(line));
    return isObject(read) ? [read as ReviewRecord] : [];
  });
}
