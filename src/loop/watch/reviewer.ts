import {
  type FailedRule,
  type Leftover,
  NO_OWN_FILES,
  type ReviewPlace,
  type RunPlace,
  type TrustedGit,
} from 'ralph-actions/forms/place';
import { countReview, NO_REVIEWS, type ReviewRecord } from 'ralph-actions/forms/record';
import type { ReviewSettings } from 'ralph-actions/forms/settings';
import {
  type AskRules,
  type Assessment,
  actionKey,
  assess,
  describeAction,
  existingLeftovers,
  type Goal,
  gravity,
  isAnalysed,
  leftoversAfter,
  type ModuleOpinions,
  type ModuleRule,
  NO_HISTORY,
  openCache,
  opinionsIn,
  ownFilesAfter,
  plainSubject,
  type ReviewHistory,
  type Rule,
  reviewRecord,
  watchedPlace,
  withAction,
  withModule,
  withResult,
} from 'ralph-actions/review';
import { type HookAbilities, inForce } from 'ralph-agents/hook';
import type { Action, Ruling } from 'ralph-kit/actions/action';
import { oneByOne } from 'ralph-kit/one-by-one';
import { redact } from 'ralph-kit/redact';
import { onOneLine, shortened } from 'ralph-kit/text';
import type { Clock } from '../../domain/ports.ts';
import type { ReviewFacts } from '../../domain/review.ts';

const BLOCKED_KEPT = 50;
/** Maximum number of characters of a command whose review is never slow because of the command. */
const SHORT = 1000;
const FAILED_KEPT = 20;
/** Maximum number of characters of a failed rule's error. */
const LONGEST_ERROR = 300;

export type ReviewerOptions = {
  readonly agent: string;
  readonly iteration: number;
  readonly taskId: string;
  readonly place: RunPlace;
  readonly settings: ReviewSettings;
  readonly rules: readonly (Rule | ModuleRule)[];
  /** Asks the rules that are in a module. */
  readonly askRules: AskRules;
  readonly goal: Goal | null;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'processorMs'>;
  readonly hide: (text: string) => string;
  /** Start of the attempt, in milliseconds since 1970. */
  readonly beganAt: number;
  readonly leftovers: readonly Leftover[];
  /** Knowledge about trusted git settings, shared by the attempts of a run; `null`: there is no run. */
  readonly trustedGit: TrustedGit | null;
  /** Called for each action that would be allowed. Returns false if the limit of operations is reached. */
  readonly within: (action: Action) => boolean;
  /** Called for each judged action before it is answered. An exception denies the action. */
  readonly onReview: (record: ReviewRecord, action: Action) => void;
};

/** Reviews actions one after another, in the order in which its functions are called. */
export type Reviewer = {
  readonly warmUp: () => void;
  /**
   * Judges an action, counts it and records it. Rejects if `onReview` throws.
   * @param instead Ruling that replaces the review's own.
   */
  readonly judge: (
    action: Action,
    can: HookAbilities,
    mode: ReviewRecord['mode'],
    instead?: Ruling,
  ) => Promise<Ruling>;
  /** Returns the current ruling without counting or recording it. */
  readonly preview: (action: Action, can: HookAbilities) => Promise<Ruling>;
  readonly onEnd: (action: Action, ok: boolean) => Promise<void>;
  /** Returns the numbers once all reviews are done. */
  readonly counted: () => Promise<
    Pick<ReviewFacts, 'numbers' | 'allowed' | 'denied' | 'harmless' | 'blocked' | 'failedRules' | 'left'>
  >;
};

/** Milliseconds of wall time that a review may take. */
const LATE_MS = 2000;

/** Crossing the limit ends the attempt, so the refused action doesn't count as denied. */
const OVER_THE_LIMIT: Ruling = {
  decision: 'deny',
  rule: 'limit_file_operations',
  reason: 'The limit of file operations of this attempt is reached, and the attempt ends here.',
};

export function openReviewer(options: ReviewerOptions, unseenInput: boolean): Reviewer {
  const { settings, goal, clock, agent, iteration, hide } = options;
  const rules = options.rules.filter((rule) => 'judge' in rule);
  const inModule = options.rules.filter((rule) => 'index' in rule);
  const cache = openCache(settings.cache);
  const tally = openTally();
  let place = placeAtBegin(options, unseenInput);
  let history: ReviewHistory = NO_HISTORY;
  let number = 0;
  /** An action is judged by what those before it did, so each review waits for the one before. */
  const inTurn = oneByOne();

  async function opinionsOn(action: Action, effects: Assessment['effects']): Promise<ModuleOpinions> {
    const answers = await options.askRules(inModule, plainSubject(action, effects, place.root));
    return opinionsIn(answers, action);
  }

  async function assessed(
    action: Action,
    begin: number,
  ): Promise<{ assessment: Assessment; hit: boolean; failed: ModuleOpinions['failed'] }> {
    const cached = cache.find(action, begin);
    const { place: watched, asked } = watchedPlace(place, action);
    const context = { settings, rules, goal, history };
    // A review is late by its processor time, which a busy machine doesn't use up. The wall clock only catches reviews
    // that hang.
    const lateFrom = (from: number) => {
      const used = clock.processorMs();
      return () =>
        clock.processorMs() - used > settings.performance.max_review_time_ms ||
        clock.monotonicMs() - from > LATE_MS;
    };
    const first = assess(action, watched, context, { cached, isLate: lateFrom(begin) });
    // A short command that was late is reviewed again: only a command that is slow to review is late twice.
    const again = (action.command?.length ?? 0) <= SHORT && isLate(first.ruling);
    const own = again ? assess(action, watched, context, { isLate: lateFrom(clock.monotonicMs()) }) : first;
    if (cached !== null || !isAnalysed(own)) return { assessment: own, hit: cached !== null, failed: [] };
    const opinions = inModule.length === 0 ? null : await opinionsOn(action, own.effects);
    const assessment = opinions === null ? own : withModule(own, action, watched, context, opinions);
    const failed = opinions?.failed ?? [];
    if (!asked() && failed.length === 0) cache.keep(action, assessment.analysis, begin);
    return { assessment, hit: false, failed };
  }

  const start = place;
  const context = { settings, rules, goal, history: NO_HISTORY };
  return {
    warmUp: () => warmUp((command) => assess(commandAction(command), start, context)),
    preview: (action, can) =>
      inTurn(async () => inForce((await assessed(action, clock.monotonicMs())).assessment.ruling, can)),
    judge: (action, can, mode, instead) =>
      inTurn(async () => {
        const begin = clock.monotonicMs();
        const { assessment: own, hit, failed } = await assessed(action, begin);
        const assessment = instead === undefined ? own : { ...own, ruling: instead };
        const ruling = inForce(assessment.ruling, can);
        const isOver = ruling.decision !== 'deny' && !options.within(action);
        const answer = isOver ? OVER_THE_LIMIT : ruling;
        const blocked = answer.decision === 'deny';
        const { signature, analysis } = assessment;
        const entry = { action, key: actionKey(action), signature, blocked, gates: goal?.gates ?? [] };
        history = withAction(history, entry);
        if (!blocked) place = { ...place, ownFiles: ownFilesAfter(analysis.effects, place) };
        if (options.trustedGit !== null) options.trustedGit.git = place.ownFiles.git;
        number += 1;
        const duration_us = Math.round((clock.monotonicMs() - begin) * 1000);
        const record = reviewRecord(
          {
            id: `R-${iteration}-${number}`,
            at: clock.now(),
            iteration,
            task_id: options.taskId,
            agent,
            mode,
            action,
            answer,
            duration_us,
            cache_hit: hit,
          },
          isOver ? { ...assessment, ruling: OVER_THE_LIMIT } : assessment,
          hide,
        );
        tally.failed(failed);
        tally.add(record, action, answer, assessment, isOver);
        options.onReview(record, action);
        return answer;
      }),
    onEnd: (action, ok) =>
      inTurn(() => {
        history = withResult(history, actionKey(action), ok);
      }),
    counted: () =>
      inTurn(() => ({
        ...tally.counted(),
        left: leftoversAfter(place.ownFiles, options.leftovers, options.place, options.beganAt),
      })),
  };
}

function commandAction(command: string): Action {
  const rest = { id: null, paths: [], content: [], network: null, cwd: null, input: { command } };
  return { kind: 'system_command', tool: 'Bash', command, ...rest };
}

function placeAtBegin(
  { place, beganAt, leftovers, trustedGit }: ReviewerOptions,
  unseenInput: boolean,
): ReviewPlace {
  const paths = existingLeftovers(leftovers, place).map(({ path }) => path);
  const existed = (path: string) => (place.bornAt(path) ?? beganAt) < beganAt;
  const writtenText = (path: string) => place.textSince(path, beganAt);
  return { ...place, unseenInput, existed, writtenText, ownFiles: { ...NO_OWN_FILES, ...trustedGit, paths } };
}

function isLate(ruling: Ruling): boolean {
  return ruling.decision === 'deny' && ruling.rule === 'too_late';
}

function openTally() {
  let numbers = NO_REVIEWS;
  const counts = { allowed: 0, denied: 0, harmless: 0 };
  const blocked: ReviewFacts['blocked'] = [];
  const failed = new Map<string, FailedRule>();
  return {
    failed: (rules: readonly FailedRule[]) => {
      for (const { rule, error } of rules)
        if (!failed.has(rule) && failed.size < FAILED_KEPT)
          failed.set(rule, { rule, error: shortened(onOneLine(redact(error, [])), LONGEST_ERROR) });
    },
    add: (record: ReviewRecord, action: Action, answer: Ruling, assessment: Assessment, isOver: boolean) => {
      numbers = countReview(numbers, record);
      if (isOver) return;
      if (answer.decision !== 'deny') counts.allowed += 1;
      else if (answer.harmless) counts.harmless += 1;
      else {
        counts.denied += 1;
        const { rule, reason } = answer;
        const refused = { tool: action.tool, action: describeAction(action), rule, reason };
        if (blocked.length < BLOCKED_KEPT) blocked.push({ ...refused, severity: gravity(assessment) });
      }
    },
    counted: () => ({ numbers, ...counts, blocked, failedRules: [...failed.values()] }),
  };
}

/** Commands of many kinds. Their first reviews run most of the code of the review. */
const COMMANDS = [
  'cd src && grep -rn "x" . | head -20; rm -f a.log && git commit -m "x" > out.txt',
  'npm test -- --run src/cart.test.ts 2>&1 | tail -50',
  'find . -name "*.js" -not -path "./node_modules/*" | xargs grep -l TODO',
  'for f in src/*.ts; do wc -l "$f"; done | sort -n',
  'T=$(mktemp -d); cp -r src "$T"; bash -c "ls $T"; rm -rf "$T"',
  "cat > notes.md <<'EOF'\n# Notes\n$x\nEOF",
  'python3 -c \'import os; os.remove("a")\'',
  'if [ -f a ]; then curl -s http://localhost:3000/health | jq .status; else echo {a,b}/c; fi',
  "sed -i 's/18/22/' ci.yml; docker compose up -d db; env A=$((1+1)) make test",
];
const ROUNDS = 10;

let done = 0;

/** Makes the first reviews of a process, which are slow: one at once, the others when the process is idle. */
function warmUp(review: (command: string) => void): void {
  if (done >= COMMANDS.length * ROUNDS) return;
  review(COMMANDS[done % COMMANDS.length] ?? '');
  done += 1;
  setImmediate(warmUp, review).unref();
}
