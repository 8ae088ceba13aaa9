import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { type AvoidanceFinding, type DiffReview, reviewDiff } from 'ralph-diff-review';
import { readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import { failure, success } from '../../result.ts';

export type ReviewedDiff = {
  readonly verdict: DiffReview['verdict'];
  readonly findings: readonly AvoidanceFinding[];
};

/** Exit codes of `ralph review diff` by verdict (docs/CLI.md). */
const EXIT_OF: Readonly<Record<DiffReview['verdict'], number>> = { clean: 0, warn: 1, act: 3 };
const EXIT_ERROR = 4;

const NEXT = 'git diff | ralph review diff';

export async function reviewDiffFile({ cwd, file }: { readonly cwd: string; readonly file: string }) {
  let text: string;
  try {
    text = file === '-' ? await readAll(process.stdin) : readFileBytes(resolve(cwd, file)).toString('utf8');
  } catch (error) {
    const what = file === '-' ? 'Standard input' : file;
    return failure(`${what} can't be read: ${whyUnreadable(error)}.`, NEXT, EXIT_ERROR);
  }
  if (text.trim() !== '' && !isDiff(text)) {
    const [first = ''] = text.trim().split('\n');
    return failure(`That isn't a unified diff: ${first.slice(0, 80)}`, NEXT, EXIT_ERROR);
  }
  const { verdict, findings } = reviewDiff({ patch: text });
  const reviewed: ReviewedDiff = { verdict, findings };
  return success(reviewed, EXIT_OF[verdict]);
}

/** A diff may follow other text, such as a commit message. */
function isDiff(text: string): boolean {
  return /^(?:diff --git |--- .*\r?\n\+\+\+ |@@ -\d|Binary files )/m.test(text);
}
