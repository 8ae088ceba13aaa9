import { type Readable, readablePart, reviewDiff } from '../../avoidance/index.ts';
import type { ChangeSet } from '../../domain/change-set.ts';
import { type AvoidanceFacts, type FoundAvoidance, NO_AVOIDANCE } from '../../domain/findings/avoidance.ts';
import type { HumanState } from '../../domain/human/state.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { whitelistedBy } from '../../human/index.ts';
import { redact } from '../../lib/redact.ts';
import { shortened } from '../../lib/text.ts';
import { compareResults, coverageOf, failingBefore, switchedOff } from '../../results/index.ts';

type Reviewed = Pick<IterationFacts, 'task' | 'gates' | 'baseline' | 'endedAt' | 'changes'>;

/** Characters of a diff that are reviewed, by whole files: some 5,000 changed lines take a tenth of a second. */
export const MOST_REVIEWED = 400_000;
/** Findings that are kept, the surest, and characters of a text of theirs. */
const MOST_FINDINGS = 30;
const LONGEST_TEXT = 500;

/**
 * What an attempt's diff shows of avoided work, seen beside its task and what the gates report. Files that you changed
 * are none of it.
 */
export function reviewChanges(
  { task, gates, baseline, endedAt, changes }: Reviewed,
  patch: string,
  yours: readonly string[],
  { whitelist, detections }: Pick<HumanState, 'whitelist' | 'detections'>,
): AvoidanceFacts {
  const results = compareResults(gates, baseline);
  const coverage = coverageOf(results);
  if (patch === '' && coverage === null) return NO_AVOIDANCE;
  const part = readablePart(patch, MOST_REVIEWED);
  const { findings } = reviewDiff(
    { patch: part.patch },
    {
      goal: [task.title, task.description, ...task.acceptance].join('\n'),
      failing: failingBefore(baseline),
      switchedOff: switchedOff(results),
      ...(coverage === null ? {} : { coverage }),
      unread: [...part.left, ...notIn(part, changes)],
    },
  );
  const entries = whitelist.filter(({ removedAt }) => removedAt === null);
  const found = findings
    .filter(({ path }) => !yours.includes(path))
    .slice(0, MOST_FINDINGS)
    .map(({ level: _level, ...one }): FoundAvoidance => {
      const { category: pattern, path, evidence } = one;
      const entry = whitelistedBy(entries, { pattern, path }, endedAt);
      return {
        ...one,
        before: kept(one.before),
        after: kept(one.after),
        reason: kept(one.reason) ?? '',
        evidence: [...evidence],
        whitelisted: entry?.id ?? null,
      };
    });
  const categories = new Set(found.map(({ category }) => category));
  const known = Object.entries(detections).filter(([category]) => categories.has(category));
  return { findings: found, detections: Object.fromEntries(known) };
}

/** Changed files that the diff ends before; of a submodule it names the folder alone. */
function notIn({ read, left }: Pick<Readable, 'read' | 'left'>, { changes }: ChangeSet): string[] {
  const named = new Set([...read, ...left]);
  const isBelow = (path: string) => [...named].some((folder) => path.startsWith(`${folder}/`));
  return changes.map(({ path }) => path).filter((path) => !named.has(path) && !isBelow(path));
}

function kept(text: string | null): string | null {
  return text === null ? null : shortened(redact(text, []), LONGEST_TEXT);
}
