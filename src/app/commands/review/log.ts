import { join } from 'node:path';
import type { ReviewDecision, ReviewRecord } from '../../../domain/records/review-record.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { iterationFolders, textOf } from '../../records/iteration-files.ts';
import { type DataOf, success } from '../../result.ts';
import { inWorkspace, type ProjectInput } from '../../setup/project.ts';

export type ReviewLogInput = ProjectInput & {
  readonly last: number;
  /** Only reviews that came to this. */
  readonly decision: ReviewDecision | null;
  /** Only those of this iteration. */
  readonly iteration: number | null;
};

export type ReviewLogResult = DataOf<typeof reviewLog>;

/** `ralph review log`: what was reviewed, oldest first; the newest of it. */
export function reviewLog(input: ReviewLogInput) {
  const { last, decision, iteration } = input;
  return inWorkspace(input, ({ root }) => {
    const folders = iterationFolders(root).filter((one) => iteration === null || one.iteration === iteration);
    let reviews: ReviewRecord[] = [];
    // From the newest on: older ones aren't read where there are enough.
    for (const folder of folders.toReversed()) {
      if (reviews.length >= last) break;
      const own = linesOf(textOf(folder, 'reviews.jsonl')).filter(
        (review) => decision === null || review.decision === decision,
      );
      reviews = [...own, ...reviews];
    }
    return success({
      reviews: reviews.slice(Math.max(0, reviews.length - last)),
      folder: join('.ralph', 'runs'),
    });
  });
}

/** A line that was cut off, as the loop was killed while it was written, is left out. */
function linesOf(text: string): ReviewRecord[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const read: unknown = JSON.parse(line);
      return isRecord(read) ? [read as ReviewRecord] : [];
    } catch {
      return [];
    }
  });
}
