import type {
  PastReview,
  ReviewAnswer,
  Role,
  ShadowSign,
  SystemShadow,
  TaskWorkflow,
} from '../../domain/workflow/roles.ts';
import { isSameFinding, sameShare } from './similar.ts';
import { THRESHOLDS } from './thresholds.ts';

const LIMITS = THRESHOLDS.system;

export type SystemObservation = {
  readonly reviews: readonly { readonly role: Role; readonly answer: ReviewAnswer | null }[];
  /** Milliseconds from the start of the first reviewer to the end of the last one. */
  readonly checkMs: number;
  /** Whether each reviewer read all changed files, as far as their streams report. */
  readonly allRead: boolean;
  /** State of the task before this cycle, but with the times of this cycle. */
  readonly task: Pick<TaskWorkflow, 'planMs' | 'doMs' | 'explorerStarts' | 'reviews'>;
  /** Paths that the maker changed in this attempt. */
  readonly changed: readonly string[];
  /** Globs of files that the task or the plan allows; `null`: neither names any. */
  readonly proposal: readonly string[] | null;
  readonly outside: readonly string[];
  /** Findings of the lessons in the maker's prompt. */
  readonly lessons: readonly string[];
  /** Numbers of WARNINGs that earlier runs left open, newest run last. */
  readonly deferred: readonly number[];
  readonly cleanUp: string | null;
};

type Found = Pick<ShadowSign, 'sign' | 'seen' | 'immune'> | null;

export const SYSTEM_CORRECTIONS: Readonly<
  Record<SystemShadow, { readonly roles: readonly Role[]; readonly text: string }>
> = {
  tunnel_vision: {
    roles: ['guardian', 'skeptic', 'trickster', 'sage'],
    text: 'All reviewers checked one kind of problem. Spread your attention: correctness, tests, design and security.',
  },
  echo_chamber: {
    roles: ['guardian'],
    text: 'Everyone approved at once. Assume that the change is wrong and look for how.',
  },
  gold_plating: {
    roles: ['maker'],
    text: 'Fix the CRITICAL findings first, and only those. INFO findings wait: leave them alone.',
  },
  analysis_paralysis: {
    roles: ['explorer', 'creator'],
    text: 'Stop researching. Give a proposal now, and name its gaps.',
  },
  cargo_cult: {
    roles: ['maker'],
    text: 'A lesson in this prompt did not help before. Say in your own words what it asks for, then do that first.',
  },
  broken_window: {
    roles: ['maker'],
    text: 'Warnings were put off again and again. Fix those in the files that you touch.',
  },
  scope_creep: {
    roles: ['maker'],
    text: 'Go back to the files of the proposal. If more are needed, say which and why before you touch them.',
  },
};

const DETECTORS: Readonly<Record<SystemShadow, (observed: SystemObservation) => Found>> = {
  tunnel_vision: (observed) => {
    const flagging = observed.reviews.filter(({ answer }) => (answer?.findings.length ?? 0) > 0);
    const findings = flagging.flatMap(({ answer }) => answer?.findings ?? []);
    const [first] = findings;
    if (first === undefined || flagging.length < LIMITS.tunnelReviewers) return null;
    if (flagging.length < observed.reviews.length || findings.length < LIMITS.tunnelFindings) return null;
    if (findings.some(({ category }) => kindOf(category) !== kindOf(first.category))) return null;
    const isOne = findings.every((other) => isSameFinding(first, other));
    return {
      sign: 'one_category',
      seen: `all ${findings.length} findings are ${kindOf(first.category)}`,
      immune: isOne ? 'they are about one and the same problem' : null,
    };
  },
  echo_chamber: quickApproval,
  gold_plating: ({ task, reviews, changed }) => {
    const before = lastCycle(task.reviews);
    const now = reviews.flatMap(({ answer }) => answer?.findings ?? []);
    const open = before.filter(
      (one) => one.severity === 'CRITICAL' && now.some((other) => isSameFinding(one, other)),
    );
    const serious = new Set(before.filter(({ severity }) => severity !== 'INFO').map(({ file }) => file));
    const plated = before.filter(({ severity, file }) => severity === 'INFO' && changed.includes(file));
    if (open.length === 0 || plated.length === 0) return null;
    const alone = plated.filter(({ file }) => !serious.has(file));
    return {
      sign: 'info_before_critical',
      seen: `${plated[0]?.file} was changed for an INFO while ${open[0]?.file} is CRITICAL`,
      immune: alone.length === 0 ? 'what is more serious is in the same files' : null,
    };
  },
  analysis_paralysis: ({ task }) => {
    const { planMs, doMs, explorerStarts } = task;
    if (explorerStarts >= LIMITS.explorerStartsAtLeast) {
      return {
        sign: 'explorer_again',
        seen: `the explorer was started ${explorerStarts} times`,
        immune: null,
      };
    }
    if (planMs <= doMs * LIMITS.planOver) return null;
    const isShort = planMs < LIMITS.planFromSeconds * 1000;
    return {
      sign: 'plan_over_do',
      seen: `${seconds(planMs)} of planning for ${seconds(doMs)} of work`,
      immune: isShort ? `planning took less than ${LIMITS.planFromSeconds} s, too little to count` : null,
    };
  },
  cargo_cult: ({ lessons, reviews, changed }) => {
    const now = reviews.flatMap(({ answer }) => answer?.findings ?? []);
    const back = now.filter(({ claim }) => lessons.some((lesson) => sameShare(lesson, claim) >= SAME_LESSON));
    const [first] = back;
    if (first === undefined) return null;
    const isUntouched = back.every(({ file }) => !changed.includes(file));
    return {
      sign: 'lesson_without_effect',
      seen: `"${first.claim}" came back although a lesson speaks of it`,
      immune: isUntouched ? 'it is in a file that this attempt did not touch' : null,
    };
  },
  broken_window: ({ deferred, cleanUp }) => {
    const newest = deferred.slice(-LIMITS.runsAtLeast);
    if (newest.length < LIMITS.runsAtLeast || newest.some((one) => one < LIMITS.warningsAtLeast)) return null;
    return {
      sign: 'deferred_warnings',
      seen: `${newest.join(' and ')} WARNINGs put off in ${newest.length} runs in a row`,
      immune: cleanUp === null ? null : `${cleanUp} is there to clean up`,
    };
  },
  scope_creep: ({ proposal, changed, outside }) => {
    if (proposal === null || changed.length <= proposal.length * LIMITS.scopeOver) return null;
    return {
      sign: 'over_proposal',
      seen: `${changed.length} files changed where the proposal has ${proposal.length}`,
      immune: outside.length === 0 ? 'all of them lie within the proposal' : null,
    };
  },
};

export function quickApproval({
  reviews,
  checkMs,
  allRead,
}: Pick<SystemObservation, 'reviews' | 'checkMs' | 'allRead'>): Found {
  const isUnanimous = reviews.length > 1 && reviews.every(({ answer }) => answer?.verdict === 'APPROVED');
  if (!isUnanimous || checkMs >= LIMITS.consensusUnderSeconds * 1000) return null;
  return {
    sign: 'quick_approval',
    seen: `unanimous approval in ${(checkMs / 1000).toFixed(1)} s`,
    immune: allRead ? 'each reviewer read the changed files' : null,
  };
}

/** Share of common words from which on a lesson is about the same thing as a claim. */
const SAME_LESSON = 0.6;

/** Returns signs of shadows (overdone strengths) of the whole workflow. Those that don't count have a reason. */
export function systemSigns(observed: SystemObservation): readonly ShadowSign[] {
  return (Object.keys(DETECTORS) as SystemShadow[]).flatMap((shadow) => {
    const found = DETECTORS[shadow](observed);
    return found === null ? [] : [{ shadow, ...found }];
  });
}

function kindOf(category: string): string {
  return category.trim().toLowerCase();
}

function lastCycle(reviews: readonly PastReview[]) {
  const cycle = Math.max(0, ...reviews.map((review) => review.cycle));
  return reviews.filter((review) => review.cycle === cycle).flatMap(({ findings }) => findings);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
