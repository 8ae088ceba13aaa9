import type { ReviewFinding } from '../../../domain/workflow/roles.ts';
import { sameShare } from '../similar.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { count, found, isChanged, namesChange, type RoleLook, type SignDetector, share } from './look.ts';

const LIMITS = THRESHOLDS.skeptic;

/** Skeptic → paralytic. */
export const PARALYTIC: readonly SignDetector[] = [
  {
    sign: 'challenges',
    find: (look) => {
      const findings = look.answer?.findings ?? [];
      if (findings.length <= LIMITS.challengesOver) return null;
      return found(
        `${findings.length} challenges (over ${LIMITS.challengesOver})`,
        findings.every((one) => one.alternative !== null && isChanged(one, look)) &&
          'each is in changed code and has an alternative',
      );
    },
  },
  {
    sign: 'without_alternatives',
    find: ({ answer }) => {
      const findings = answer?.findings ?? [];
      const given = findings.filter(({ alternative }) => alternative !== null).length;
      if (findings.length === 0 || given >= findings.length * LIMITS.alternativeShareUnder) return null;
      const bare = findings.filter(({ alternative }) => alternative === null);
      return found(
        `${share(given, findings.length)} challenges have an alternative`,
        bare.every(({ fix, repro }) => fix !== null && repro !== null) &&
          'the others are reproducible and have a fix',
      );
    },
  },
  {
    sign: 'same_concern_twice',
    find: ({ answer }) => {
      const pair = twins(answer?.findings ?? []);
      if (pair === null) return null;
      const [one, other] = pair;
      const isElsewhere = one.file !== other.file && one.fix !== other.fix;
      return found(
        `"${one.claim}" and "${other.claim}"`,
        isElsewhere && 'they are in different files, with a fix of their own',
      );
    },
  },
  {
    sign: 'out_of_scope',
    find: (look) => {
      const beyond = (look.answer?.findings ?? []).filter((one) => !isInScope(one, look));
      if (beyond.length <= LIMITS.outOfScopeOver) return null;
      const loose = beyond.filter((one) => !namesChange(one, look));
      return found(
        `${count(beyond.length, 'finding')} out of scope`,
        loose.length <= LIMITS.outOfScopeOver && 'they say which changed file leads there',
      );
    },
  },
];

function isInScope(finding: ReviewFinding, look: RoleLook): boolean {
  return isChanged(finding, look) || (look.proposal?.includes(finding.file) ?? false);
}

/** Two findings that say the same; those in one file first. */
function twins(findings: readonly ReviewFinding[]): readonly [ReviewFinding, ReviewFinding] | null {
  const pairs = findings.flatMap((one, at) =>
    findings
      .slice(at + 1)
      .filter((other) => sameShare(one.claim, other.claim) >= LIMITS.sameShareAtLeast)
      .map((other) => [one, other] as const),
  );
  return pairs.find(([one, other]) => one.file === other.file || one.fix === other.fix) ?? pairs[0] ?? null;
}
