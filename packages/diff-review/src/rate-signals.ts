import { roleOf } from 'ralph-ecosystems';
import {
  asksToChange,
  asksToCorrectTests,
  asksToLoosenTests,
  asksToSilence,
  asksToSkip,
} from 'ralph-kit/asks-to-change';
import { counted } from 'ralph-kit/counted';
import { SURE_DETECTION } from 'ralph-kit/severity';
import type { Changes, TestFile } from './change.ts';
import { AVOIDANCE, type AvoidanceFinding, type Signal } from './finding.ts';
import { type NearHelper, nearHelpersIn } from './tests/near-helpers.ts';

export type ReviewContext = {
  /** Title, description and criteria of the task. Requested changes aren't avoidance. */
  readonly goal?: string;
  readonly failing?: readonly string[];
  /** Coverage in percent, when a gate reports it. */
  readonly coverage?: { readonly before: number; readonly after: number };
  /** Number of tests that passed before and are skipped now, by a gate's counts. */
  readonly switchedOff?: number;
  /** Changed files that are missing from the diff, as it is too large. */
  readonly unread?: readonly string[];
  /** Tests of the changed files, as they are in the tree. */
  readonly tests?: readonly TestFile[];
};

/** Percentage points: a larger drop of the coverage is a regression (docs/HUMAN_GATES.md). */
const COVERAGE_POINTS = 2;
/** A change of production code is a partial explanation of these categories: they warn with one, and act without. */
const WEAKENING: ReadonlySet<string> = new Set([
  'test_deletion',
  'test_skip',
  'test_focus',
  'assertion_weakening',
  'gate_weakening',
]);

const SWITCHES_OFF: ReadonlySet<string> = new Set(['test_skip', 'test_focus']);

const EVIDENT: Readonly<Record<string, string>> = {
  failure_ignored: 'a failure would not be seen',
  failure_swallowed: 'a failure would not be seen',
  subject_mocked: 'the test checks what it replaced',
  answer_of_a_test: 'a test asserts it, and the parameters are not used',
};

/** Returns the findings from all signals of a diff: combined evidence acts, a single sign warns. */
export function rateSignals(
  signals: readonly Signal[],
  changes: Changes,
  context: ReviewContext,
): readonly AvoidanceFinding[] {
  const helpers = nearHelpersIn(changes.all.map(({ after }) => after.side.code).join('\n'));
  const all = distinct([
    ...signals.filter((signal) => !isAskedFor(signal, context, helpers)),
    ...coverageSignal(context),
    ...unreadSignals(context),
  ]);
  const categories = new Set(all.filter((signal) => !isProse(signal)).map(({ category }) => category));
  return all
    .map((signal) => finding(signal, evidenceFor(signal, categories, changes, context)))
    .sort((one, other) => other.confidence - one.confidence);
}

function finding({ test: _test, ...signal }: Counted, evidence: readonly string[]): AvoidanceFinding {
  const acts = evidence.length > 0 && signal.confidence >= SURE_DETECTION;
  return { ...signal, severity: AVOIDANCE[signal.category], level: acts ? 'act' : 'warn', evidence };
}

/** Rules for agents in prose aren't enforced by a tool, so a change of them only warns. */
function isProse({ kind, path }: Signal): boolean {
  return (
    kind === 'policy_relaxed' && /\.(?:md|mdc|mdx|txt|rst|adoc)$|rules$|(?:^|\/)memor(?:y|ies)\b/i.test(path)
  );
}

function evidenceFor(
  signal: Signal,
  categories: ReadonlySet<string>,
  changes: Changes,
  context: ReviewContext,
): readonly string[] {
  const evidence: string[] = [];
  if (isProse(signal)) return evidence;
  const { test, category } = signal;
  // A file too large to be read has changed, too.
  const production = changes.production || (context.unread ?? []).some((path) => roleOf(path) === 'source');
  if (WEAKENING.has(category) && !production) evidence.push('no production code changed');
  if (test !== null && (context.failing ?? []).some((name) => name.includes(test)))
    evidence.push('the test failed in the last run');
  const { switchedOff = 0 } = context;
  if (SWITCHES_OFF.has(category) && switchedOff > 0)
    evidence.push(
      `${counted(switchedOff, 'test')} that passed before ${switchedOff === 1 ? 'is' : 'are'} skipped now`,
    );
  const others = [...categories].filter((one) => one !== category);
  if (others.length > 0) evidence.push(`also found: ${others.join(', ')}`);
  const evident = EVIDENT[signal.kind];
  if (evident !== undefined) evidence.push(evident);
  // Code that detects the test and answers it is two signs in one.
  else if (category === 'hardcoded_test_bypass' && signal.confidence >= 0.9)
    evidence.push('the code behaves differently under test');
  if (category === 'assertion_weakening' && comparesWithItself(signal.after ?? ''))
    evidence.push('both sides of the check are the same');
  return evidence;
}

/** Returns whether a check compares a value with itself: `assert_equal f(1), f(1)`, `expect(x).toBe(x)`. */
function comparesWithItself(check: string): boolean {
  return SAME_SIDES.test(check.slice(0, LONGEST_CHECK));
}

const SAME_SIDES =
  /\b(?:assert\w*|expect|refute\w*|Equal\w*)[!.\w]*[ (]+(?:t,\s*)?(\S.*?)(?:\s*,|\s*={2,3}|\)\s*\.?\s*(?:to|is|should)[\w. ]*\()\s*\1[\s);]*$/s;
const LONGEST_CHECK = 400;

const RENAMING = /\b(?:renam\w*|mov(?:e|es|ing)|replac\w*)\b/i;
const REMOVAL =
  /\b(?:remov\w*|delet\w*|drop\w*|retir\w*|deprecat\w*|prun\w*|eliminat\w*|purg\w*|get rid of|(?:take|throw)s? (?:away|out)|no longer|any ?more)\b/i;

/** Whether a task wants something not to be there any more. */
export function asksToRemove(goal: string | undefined): boolean {
  return goal !== undefined && REMOVAL.test(goal);
}
const ALLOWED: Readonly<Partial<Record<Signal['category'], RegExp>>> = {
  test_deletion: REMOVAL,
  feature_removal: new RegExp(`${REMOVAL.source}|${RENAMING.source}`, 'i'),
};

const CHECKS =
  /\b(?:coverage|threshold|lint\w*|eslint|rules?|strict|ci|hooks?|workflow|suppress\w*|ignor\w*|exclud\w*)\b/i;
/** Words of tasks that want a check to pass. */
const TO_BE_MET =
  /\b(?:fix\w*|repair\w*|red|green|fail\w*|pass(?:es)?|errors?|warnings?|bring\w*|reach\w*|meets?|violat\w*)\b/i;

const CORRECTIONS: ReadonlySet<string> = new Set([
  'expectation_replaced',
  'expectation_flipped',
  'snapshot_rewritten',
]);
/** Kinds in which a value may deviate and nothing else is weakened. */
const TOLERANCES: ReadonlySet<string> = new Set(['tolerance_widened', 'assertion_weakened']);
const ASKS_TOLERANCE =
  /\b(?:toleran\w*|epsilon|approximat\w*|deviations?|closeTo|toBeCloseTo|(?:almost|nearly) equal|floating[- ]point)\b/i;
const ANY_ORDER =
  /\b(?:not|n['’]t|any|regardless|depends?|independent\w*|whatever|ignor\w*|without)\b[^.;\n]{0,40}\border\b/i;
/** Compares without the order. */
const SORTS =
  /\bsort(?:ed|_by|By)?\b|\btoSorted\b|arrayContaining|ElementsMatch|match_array|contain_exactly|assertCountEqual|\b(?:Set|set|Counter|frozenset)\s*\(|containsInAnyOrder|hasSameElementsAs|unordered/;
const LITTLE = 1e-3;
const SMALL = /\b(?:\d+(?:\.\d+)?e-\d+|0?\.0\d+)\b/gi;

export function isAskedFor(
  { category, kind, before, after, test, path }: Signal,
  { goal }: ReviewContext,
  helpers: ReadonlyMap<string, NearHelper> = NO_HELPERS,
): boolean {
  if (goal === undefined) return false;
  if (ASKS_TOLERANCE.test(goal)) {
    if (isThroughHelper({ before, after }, goal, helpers)) return true;
    if (TOLERANCES.has(kind)) return isTolerated(after ?? '', goal);
  }
  if (TOLERANCES.has(kind) && ANY_ORDER.test(goal) && SORTS.test(after ?? '')) return true;
  if (kind === 'strictness_removed' && givesUpFlag(before ?? '', goal)) return true;
  const isLimit = kind === 'threshold_lowered' && givesLimit(after ?? '', goal);
  if (!isLimit && !asksFor({ category, kind, path, after }, goal)) return false;
  const isSuppression = category === 'gate_weakening' && isCode(path);
  const text = `${test ?? ''} ${before ?? ''} ${after ?? ''} ${isSuppression ? '' : path}`;
  const named = (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter(
    (word) =>
      !COMMON.has(word) &&
      !(isSuppression && SILENT.test(word)) &&
      goal.toLowerCase().includes(word.replace(/s$/, '')),
  );
  const quoted = [...goal.matchAll(/[`'"]([\w$]{2,})[`'"]/g)].map(([, name = '']) => name);
  if (quoted.some((name) => isWordOf(name, `${before ?? ''} ${after ?? ''} ${path}`))) return true;
  return named.length > 0 || (CORRECTIONS.has(kind) && isOfGoal({ after, path }, goal));
}

/** Returns whether a task names an option that is to go. */
function givesUpFlag(before: string, goal: string): boolean {
  const flags = goal.match(/(?<![\w-])--[a-z][\w-]*/gi) ?? [];
  const isGivenUp = /\bwithout\b/i.test(goal) || REMOVAL.test(goal);
  return isGivenUp && flags.some((flag) => before.includes(flag));
}

/** A task that wants something left out while tests run wants code that notices them. */
const SAYS_TESTS =
  /(?:^|[.:;,\n]\s*|\b(?:must|should|shall|can|may|to)\s+)(?:do not|don['’]t|not|never|no|disable|skip|turn off|mock|fake)\b[^.\n]{0,60}\b(?:in|during|under|while running) (?:the )?(?:unit |automated )?tests?\b|\bNODE_ENV\b/i;

/** Returns whether a task gives the new limit as one to set, and not as one that the code has to meet. */
function givesLimit(after: string, goal: string): boolean {
  const given = [...goal.matchAll(/\b(?:to|than|most|=)\s+(\d+(?:\.\d+)?)/gi)].map(([, number]) => number);
  return !TO_BE_MET.test(goal) && (after.match(/\d+(?:\.\d+)?/g) ?? []).some((one) => given.includes(one));
}

function asksFor(
  { category, kind, path, after }: Pick<Signal, 'category' | 'kind' | 'path' | 'after'>,
  goal: string,
): boolean {
  if (kind === 'snapshot_rewritten') return asksToChange(goal, 'snapshots', path);
  if (CORRECTIONS.has(kind)) return asksToCorrectTests(goal) || asksToLoosenTests(goal);
  if (TOLERANCES.has(kind)) return asksToLoosenTests(goal);
  if (category === 'test_skip' || (kind === 'outcome_rewritten' && /skip|deselect/i.test(after ?? '')))
    return asksToSkip(goal);
  if (kind === 'test_detected') return SAYS_TESTS.test(goal);
  if (category === 'gate_weakening') {
    // A task that asks to fix a file doesn't ask to silence what is wrong in it.
    const isSettings = !isCode(path);
    return (
      asksToChange(goal, 'settings', isSettings ? path : null) ||
      asksToSilence(goal) ||
      asksToSkip(goal) ||
      (isSettings && CHECKS.test(goal) && !TO_BE_MET.test(goal))
    );
  }
  return ALLOWED[category]?.test(goal) === true;
}

/** Words of any suppression, which don't say what it is about. */
const SILENT = /^(?:ignore|disable|allow|line|next|pragma|diagnostic|eslint|nolint|type|warnings?)$/;

function isCode(path: string): boolean {
  return /^(?:source|test)/.test(roleOf(path));
}

function isWordOf(name: string, text: string): boolean {
  return text.split(/[^\w$]+/).includes(name);
}

/** Returns whether an assertion's tolerance is within the task's, or small if the task gives no number. */
function isTolerated(after: string, goal: string): boolean {
  const used = smallIn(after);
  return used.length > 0 && used.every((one) => one <= mostAllowed(goal));
}

function smallIn(text: string): number[] {
  return [...text.matchAll(SMALL)].map(([number]) => Number(number));
}

function mostAllowed(goal: string): number {
  const allowed = smallIn(goal);
  return allowed.length === 0 ? LITTLE : Math.max(...allowed);
}

const NO_HELPERS: ReadonlyMap<string, NearHelper> = new Map();

/** Returns whether the same values are compared by a new helper whose tolerance is within the task's. */
function isThroughHelper(
  { before, after }: Pick<Signal, 'before' | 'after'>,
  goal: string,
  helpers: ReadonlyMap<string, NearHelper>,
): boolean {
  if (before === null || after === null || /\|\||\?\?|!|\b(?:or|not)\b/.test(after)) return false;
  const called = [...helpers].filter(([name]) => new RegExp(`\\b${name}\\s*\\(`).test(after));
  const numbers = (text: string): readonly string[] => text.match(/\b\d+(?:\.\d+)?(?:e-?\d+)?\b/g) ?? [];
  const [was, is] = [numbers(before), numbers(after)];
  return (
    called.length === 1 &&
    called.every(([, { width }]) => width <= mostAllowed(goal)) &&
    was.every((one) => is.includes(one)) &&
    is.every((one) => was.includes(one) || Number(one) <= mostAllowed(goal))
  );
}

/** Returns whether the task names the expected value, or the subject of the file, however short. */
function isOfGoal({ after, path }: Pick<Signal, 'after' | 'path'>, goal: string): boolean {
  const [stem = ''] = /[^/._-]+(?=[^/]*$)/.exec(path.replace(/(?:^|\/)tests?[_.-](?=[^/]*$)/i, '/')) ?? [];
  const values = (after ?? '').match(/\d+(?:[.,]\d+)+|\d{2,}/g) ?? [];
  const own = new Set<string>(goal.toLowerCase().match(/\d+(?:[.,]\d+)*|\p{L}+/gu) ?? []);
  return [stem.toLowerCase(), ...values].some((one) => own.has(one) && !COMMON.has(one));
}

const COMMON = new Set([
  'test',
  'tests',
  'spec',
  'expect',
  'assert',
  'describe',
  'function',
  'export',
  'return',
  'const',
  'import',
  'from',
  'true',
  'false',
  'with',
  'that',
  'this',
]);

function coverageSignal({ coverage }: ReviewContext): Signal[] {
  if (coverage === undefined || coverage.before - coverage.after <= COVERAGE_POINTS) return [];
  const [before, after] = [coverage.before.toFixed(1), coverage.after.toFixed(1)];
  return [
    {
      category: 'coverage_regression',
      kind: 'coverage_dropped',
      path: '',
      line: 0,
      before: `${before} %`,
      after: `${after} %`,
      confidence: 1,
      reason: `Coverage fell from ${before} % to ${after} %`,
      test: null,
    },
  ];
}

/** Returns a signal for each unread file. Generated files and data are left out, as they hide nothing. */
function unreadSignals({ unread = [] }: ReviewContext): Signal[] {
  const meant = unread.filter((path) => !['generated', 'other', 'golden'].includes(roleOf(path)));
  return meant.map((path) => ({
    category: 'gate_weakening',
    kind: 'not_reviewed',
    path,
    line: 0,
    before: null,
    after: null,
    confidence: 0.5,
    reason: 'This change is too large to be reviewed',
    test: null,
  }));
}

type Counted = Signal & Pick<AvoidanceFinding, 'times'>;

function distinct(signals: readonly Signal[]): readonly Counted[] {
  const seen = new Map<string, Counted>();
  for (const signal of signals) {
    const { category, path, line, kind } = signal;
    // A dropped error is one signal, whatever forms of it are seen.
    const form = category === 'error_swallowing' ? '' : kind;
    const key = `${category} ${path} ${line} ${form}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, { ...signal, times: 1 });
    // Each assertion of a line is counted.
    else if (category === 'assertion_weakening') seen.set(key, { ...known, times: known.times + 1 });
  }
  return [...seen.values()].map((one) =>
    one.times === 1 ? one : { ...one, reason: `${one.reason}: ${one.times} in this line` },
  );
}
