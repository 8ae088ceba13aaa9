import { type Action, changesFiles } from 'ralph-kit/actions/action';
import type { Effect } from '../../effects/index.ts';
import type { RationalitySettings } from '../../forms/settings.ts';
import type { Goal } from '../goal.ts';
import { type Earlier, isFirst, isReadOnly, isUnchangedSince, type ReviewHistory } from './history.ts';
import { rounded } from './risk.ts';
import { isInGoal } from './scope.ts';
import { ISSUES } from './texts.ts';

/** Weight of each component; the sum is 1. */
const WEIGHTS = { goal_alignment: 0.4, progression: 0.3, efficiency: 0.2, completeness: 0.1 } as const;
export type Component = keyof typeof WEIGHTS;
const COMPONENTS = Object.keys(WEIGHTS) as Component[];

export type Rationality = {
  /** Score from 0 to 1. */
  readonly score: number;
  readonly level: 'high' | 'medium' | 'low';
  readonly components: Readonly<Record<Component, number>>;
  readonly issues: readonly string[];
  readonly suggestions: readonly string[];
};

export type RationalityFacts = {
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly goal: Goal | null;
  readonly history: ReviewHistory;
  readonly earlier: Earlier | null;
  /** Changed paths of the repository, by whether the task expects them. */
  readonly scope: { readonly outside: readonly string[]; readonly inside: number };
};

type Part = { readonly value: number; readonly issue?: string; readonly suggestion?: string };

/** Returns how sensible an action is at its point in the attempt (docs/STEP_REVIEW.md). */
export function rationalityOf(facts: RationalityFacts, settings: RationalitySettings): Rationality {
  const parts: Readonly<Record<Component, Part>> = {
    goal_alignment: goalAlignment(facts),
    progression: progression(facts),
    efficiency: efficiency(facts),
    completeness: completeness(facts),
  };
  const score = rounded(COMPONENTS.reduce((all, name) => all + WEIGHTS[name] * parts[name].value, 0));
  const each = COMPONENTS.map((name) => parts[name]);
  const low = score < settings.low_threshold ? [ISSUES.low(score)] : [];
  return {
    score,
    level: levelOf(score, settings),
    components: {
      goal_alignment: parts.goal_alignment.value,
      progression: parts.progression.value,
      efficiency: parts.efficiency.value,
      completeness: parts.completeness.value,
    },
    issues: [...each.flatMap(({ issue }) => issue ?? []), ...low],
    suggestions: each.flatMap(({ suggestion }) => suggestion ?? []),
  };
}

function levelOf(score: number, settings: RationalitySettings): Rationality['level'] {
  if (score >= settings.high_threshold) return 'high';
  return score >= settings.medium_threshold ? 'medium' : 'low';
}

/** Only editing files that the task neither names nor mentions is off the goal. A command's purpose isn't seen from its files. */
function goalAlignment({ action, goal, scope }: RationalityFacts): Part {
  const { outside, inside } = scope;
  if (goal === null || !changesFiles(action) || inside > 0 || outside.length === 0) return { value: 1 };
  if (outside.some((path) => isInGoal(path, goal))) return { value: 1 };
  return { value: 0, ...ISSUES.offGoal(outside, goal.expected?.listed ?? []) };
}

function progression({ action, history, earlier }: RationalityFacts): Part {
  if (earlier?.blocked === true) return { value: 0, ...ISSUES.blockedBefore };
  const again = earlier !== null && isUnchangedSince(history, earlier);
  if (again && (isReadOnly(action) || earlier.failures > 0)) {
    return {
      value: 0.3,
      ...(earlier.failures > 0 ? ISSUES.failedBefore(earlier.failures) : ISSUES.repeated),
    };
  }
  if (earlier !== null || isReadOnly(action) || isFirst(history)) return { value: 1 };
  return { value: buildsOn(action, history) ? 1 : 0.7 };
}

/** Returns whether the action continues earlier work: on a file, in the same folder, or with any tool if it names no file. */
function buildsOn(action: Action, { kinds, sinceGate }: ReviewHistory): boolean {
  if (action.paths.length === 0) return kinds.size > 0;
  const folders = new Set([...sinceGate].map(folderOf));
  return action.paths.some(({ path }) => folders.has(folderOf(path)));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function efficiency({ action, goal, history, earlier }: RationalityFacts): Part {
  const again = earlier !== null && isUnchangedSince(history, earlier);
  if (action.kind === 'file_read' && again) return { value: 0.5, ...ISSUES.readBefore };
  const command = action.command?.trim() ?? '';
  const isGate = goal?.gates.includes(command) === true;
  if (isGate && earlier !== null && history.sinceGate.size === 1) return { value: 0.5, ...ISSUES.wholeSuite };
  return { value: 1 };
}

function completeness({ action, effects }: RationalityFacts): Part {
  const misses =
    (action.kind === 'system_command' && (action.command ?? '').trim() === '') ||
    (NAMES_FILES.has(action.kind) && action.paths.length === 0);
  const unclear = effects.some(
    (effect) =>
      effect.kind === 'unfollowed' ||
      (effect.kind === 'deletes' && effect.spots().some(({ kind }) => kind === 'anywhere')),
  );
  return misses || unclear ? { value: 0.5, ...ISSUES.incomplete } : { value: 1 };
}

const NAMES_FILES: ReadonlySet<Action['kind']> = new Set([
  'file_create',
  'file_modify',
  'file_write',
  'file_delete',
]);
