import { describeAction, KIND_RISK } from '../../actions/review/index.ts';
import { type AgentEvent, type HookContract, type HookMessage, trackBusy } from '../../domain/agent.ts';
import type { Halt } from '../../domain/ports.ts';
import type { HookAbilities, ReviewFacts } from '../../domain/review.ts';
import { type Action, isKnownToAct, waitsForApproval } from '../../lib/actions/action.ts';
import type { Ruling, RunPlace } from '../../lib/actions/review.ts';
import type { ReviewSettings } from '../../lib/actions/settings.ts';
import { openHalt } from './halt.ts';
import { type LateWarnings, openLateWarnings } from './late-warnings.ts';
import type { ManualApprovals } from './manual-approvals.ts';
import { openReviewedCalls, type ReviewedCalls } from './reviewed-calls.ts';
import { openReviewer, type Reviewer, type ReviewerOptions } from './reviewer.ts';

export type ReviewSession = {
  /** Answers the hook; later, where an action waits for you. */
  readonly onMessage: (message: HookMessage, gone?: AbortSignal) => Ruling | Promise<Ruling>;
  /** Reads one event of the stream. */
  readonly onEvent: (event: AgentEvent) => void;
  /** Resolves when the attempt has to end. */
  readonly halted: Promise<Halt>;
  /** What was seen so far. */
  readonly facts: () => Omit<ReviewFacts, 'log' | 'waiting'>;
};

/** How the actions of an agent are to be reviewed in its next attempt. */
export type PlannedReview =
  | { readonly mode: 'hook'; readonly contract: HookContract }
  | { readonly mode: 'detect' | 'off'; readonly why: string };

export type ReviewOptions = ReviewerOptions & {
  readonly review: PlannedReview;
  /** An agent whose hook isn't in force is ended with its first action, not watched. */
  readonly requireGate: boolean;
  /** Asks you before actions; `null`: none waits for you. */
  readonly approvals: Pick<ManualApprovals, 'each' | 'concerns' | 'approve'> | null;
  /** Called when something else changed a command after its review: as it was reviewed, and as it ran. */
  readonly onRewritten?: (asked: string, ran: Action) => void;
};

/** Stands in where nothing is reviewed. */
export const NOWHERE: RunPlace = {
  root: '/',
  home: null,
  protectedFolders: [],
  restricted: null,
  realPath: (path) => path,
  tmpdir: { path: '/tmp', own: false },
  bornAt: () => null,
  textSince: () => null,
  entries: () => [],
};

const WITHOUT_HOOK: HookAbilities = { warn: false, modify: false };

/**
 * The review of one attempt. With a hook, each action is judged before it happens, and the stream is checked against
 * that: an action that wasn't allowed ends the attempt. Without one the stream is all there is: a denied action has
 * begun when it is seen, and ends the attempt.
 */
export function openReview(options: ReviewOptions): ReviewSession {
  const { review, agent, requireGate, approvals } = options;
  const contract = review.mode === 'hook' ? review.contract : null;
  const key = (action: Action) => contract?.key(action) ?? '';
  const allowed = openReviewedCalls(key);
  const denied = openReviewedCalls(key);
  /** Calls of the stream whose end was not seen yet, by their number. */
  const open = new Map<string, Action>();
  /** Calls that were asked for, where not all are. */
  const asked = new Set<string>();
  let calls = 0;
  const reviewer = openReviewer(options, contract?.unseenInput ?? false);
  if (review.mode !== 'off') reviewer.warmUp();
  let mode: ReviewFacts['mode'] = review.mode;
  let reason = review.mode === 'hook' ? '' : review.why;
  let ready = false;
  let unreviewed: ReviewFacts['unreviewed'] = null;
  const { halted, halt } = openHalt();
  const helpers = trackBusy('helper');

  const { detect, detectLater } = openDetection(reviewer, options, halt);

  const warnings = openLateWarnings();
  const commands = openCommands();
  const answers = openAnswers(reviewer, approvals, { allowed, denied, warnings, commands });

  /** What ran is what counts. */
  function checkRan(action: Action): void {
    const asked = commands.take(action);
    if (asked === null || mode === 'off') return;
    options.onRewritten?.(asked, action);
    detect(action);
  }

  /** `ok`: `null` where the stream doesn't say how the call ended. */
  function check(action: Action, ok: boolean | null): void {
    if (mode !== 'hook' || !isKnownToAct(action)) return;
    if (allowed.covers(action) || (ok !== true && denied.covers(action))) return;
    if (!ready) {
      mode = 'detect';
      reason = `${agent} didn't report that its hook is in force`;
      const message = `${reason}, and [review] require_gate = true`;
      if (requireGate) halt({ why: 'unreviewed_action', message });
      else detect(action);
      return;
    }
    const failed = ok === false;
    if (unreviewed !== null && (failed || !unreviewed.failed)) return;
    unreviewed = { tool: action.tool, action: describeAction(action), failed };
    halt({
      why: 'unreviewed_action',
      message: `${agent} did this without having been allowed to: ${unreviewed.action}`,
    });
  }

  return {
    halted,
    onMessage: (message, gone = new AbortController().signal) => {
      if (message.kind === 'ready' || message.kind === 'action') ready = true;
      if (message.kind === 'done') {
        checkRan(message.action);
        return warnings.take(message.action);
      }
      if (message.kind !== 'action') return { decision: 'allow' };
      const { action } = message;
      if (mode === 'off') return { decision: 'allow' };
      asked.add(key(action));
      const can = mode === 'hook' && contract !== null ? contract.can : WITHOUT_HOOK;
      if (approvals?.concerns(action) === true) return answers.approved(action, can, gone);
      if (isAsync(action, options.settings)) {
        allowed.add(action);
        commands.keep(action);
        detectLater(action);
        return { decision: 'allow' };
      }
      return answers.answered(action, can);
    },
    onEvent: (event) => {
      helpers.onEvent(event);
      if (event.kind === 'tool_call') {
        const { action } = event;
        calls += 1;
        if (mode === 'detect') detect(action);
        else if (mode === 'hook' && contract?.unasked?.holds(action) && !asked.has(key(action))) {
          allowed.add(action);
          detect(action);
        }
        if (mode !== 'off') open.set(action.id ?? `#${calls}`, action);
      } else if (event.kind === 'tool_result') {
        const id = event.id ?? [...open.keys()].at(-1) ?? '';
        const call = open.get(id);
        open.delete(id);
        // What the agent turned down itself never began, so there was nothing to ask.
        if (call === undefined || event.refused === true) return;
        check(call, event.ok);
        reviewer.onEnd(call, event.ok && (event.exitCode ?? 0) === 0);
      } else if (event.kind === 'result' && event.ok && !helpers.any()) {
        // Of some streams the ends of calls aren't read.
        for (const call of open.values()) check(call, null);
        open.clear();
      }
    },
    facts: () => ({ mode, why: reason, proven: ready, ...reviewer.counted(), unreviewed }),
  };
}

/** The answers to the hook, each kept to be compared with the stream. */
function openAnswers(
  reviewer: Reviewer,
  approvals: ReviewOptions['approvals'],
  kept: Readonly<Record<'allowed' | 'denied', ReviewedCalls>> & {
    readonly warnings: LateWarnings;
    readonly commands: Commands;
  },
) {
  const { allowed, denied, warnings, commands } = kept;
  function answered(action: Action, can: HookAbilities, instead?: Ruling): Ruling {
    const ruling = reviewer.judge(action, can, 'hook', instead);
    (ruling.decision === 'deny' ? denied : allowed).add(action);
    warnings.keep(action, ruling);
    // The stream may report the call as it was asked for or as it happened.
    const changed = ruling.decision === 'modify' ? changedAction(action, ruling.input) : null;
    if (changed !== null) allowed.add(changed);
    commands.keep(changed ?? action);
    return ruling;
  }
  return {
    answered,
    /** Once nothing else speaks against it, an action waits for you. */
    approved: async (action: Action, can: HookAbilities, gone: AbortSignal): Promise<Ruling> => {
      if (approvals === null || reviewer.preview(action, can).decision === 'deny')
        return answered(action, can);
      const answer = await approvals.approve(action, gone);
      return answered(action, can, answer.decision === 'deny' ? answer : undefined);
    },
  };
}

const NOT_APPROVED: Ruling = {
  decision: 'deny',
  rule: 'manual_intervention',
  reason: 'it waits for your approval',
};

/** Commands as they were reviewed, by the number of their call. */
type Commands = {
  readonly keep: (action: Action) => void;
  /** The command that was reviewed, once, where another one ran. */
  readonly take: (ran: Action) => string | null;
};

/** Calls that never end aren't waited for beyond this. */
const MOST_COMMANDS = 100;

function openCommands(): Commands {
  const kept = new Map<string, string>();
  return {
    keep: ({ id, command }) => {
      if (id === null || command === null) return;
      kept.set(id, command.trim());
      const [oldest] = kept.size > MOST_COMMANDS ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
    },
    take: ({ id, command }) => {
      const asked = kept.get(id ?? '') ?? null;
      kept.delete(id ?? '');
      return asked === null || command === null || asked === command.trim() ? null : asked;
    },
  };
}

/** Reviews of actions that don't wait for them. */
function openDetection(
  reviewer: Reviewer,
  { agent, approvals }: Pick<ReviewOptions, 'agent' | 'approvals'>,
  halt: (halt: Halt) => void,
) {
  /** The action has begun: what is left is to end the attempt. */
  const detect = (action: Action, seen: 'detect' | 'async' = 'detect'): void => {
    const isAsked = approvals?.each === true && waitsForApproval(action);
    const ruling = reviewer.judge(action, WITHOUT_HOOK, seen, isAsked ? NOT_APPROVED : undefined);
    if (ruling.decision !== 'deny' || ruling.harmless) return;
    const message = `${describeAction(action)} is denied, and ${agent} had begun it (${ruling.reason})`;
    halt({ why: 'denied_action', message });
  };
  return {
    detect,
    /** After the answer. A review that fails allows nothing. */
    detectLater: (action: Action): void =>
      queueMicrotask(() => {
        try {
          detect(action, 'async');
        } catch {
          halt({ why: 'denied_action', message: `${describeAction(action)} could not be reviewed` });
        }
      }),
  };
}

/** Whether an action doesn't wait for its review (`[review] mode = "async"`). */
function isAsync(action: Action, { mode, async_threshold }: ReviewSettings): boolean {
  return mode === 'async' && KIND_RISK[action.kind] < async_threshold;
}

/** A call as the answer to it made it. */
function changedAction(action: Action, input: Action['input']): Action {
  const { command } = input;
  return { ...action, input, command: typeof command === 'string' ? command : action.command };
}

/** Why an agent's hook isn't in force; `null` where it is, there was none, or only a call that failed speaks against it. */
export function hookLost(planned: PlannedReview, facts: Omit<ReviewFacts, 'log' | 'waiting'>): string | null {
  if (planned.mode !== 'hook') return null;
  if (facts.unreviewed?.failed === false)
    return `it did this without having been allowed to: ${facts.unreviewed.action}`;
  return facts.mode === 'hook' ? null : facts.why;
}
