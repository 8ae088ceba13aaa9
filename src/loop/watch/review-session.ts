import type { RunPlace } from 'ralph-actions/forms/place';
import type { ReviewSettings } from 'ralph-actions/forms/settings';
import { actionKey, describeAction, KIND_RISK } from 'ralph-actions/review';
import { type AgentEvent, type HookMessage, trackBusy } from 'ralph-agents/event';
import type { HookAbilities, HookContract } from 'ralph-agents/hook';
import { type Action, isKnownToAct, type Ruling, waitsForApproval } from 'ralph-kit/actions/action';
import type { Halt } from '../../domain/ports.ts';
import type { ReviewFacts } from '../../domain/review.ts';
import { openHalt } from './halt.ts';
import type { ManualApprovals } from './manual-approvals.ts';
import { openReviewedCalls, type ReviewedCalls } from './reviewed-calls.ts';
import { openReviewer, type Reviewer, type ReviewerOptions } from './reviewer.ts';

export type ReviewSession = {
  /** Answers a message of the hook. The answer is delayed while an action waits for you. */
  readonly onMessage: (message: HookMessage, gone?: AbortSignal) => Ruling | Promise<Ruling>;
  readonly onEvent: (event: AgentEvent) => void;
  readonly halted: Promise<Halt>;
  /** Returns the facts once all reviews are done. */
  readonly facts: () => Promise<Omit<ReviewFacts, 'log' | 'waiting'>>;
};

export type PlannedReview =
  | { readonly mode: 'hook'; readonly contract: HookContract }
  | { readonly mode: 'detect' | 'off'; readonly why: string };

export type ReviewOptions = ReviewerOptions & {
  readonly review: PlannedReview;
  /** Whether an agent without a working hook is ended at its first action instead of being watched. */
  readonly requireGate: boolean;
  /** Asks you before actions; `null`: no action waits for you. */
  readonly approvals: Pick<ManualApprovals, 'everyAction' | 'concerns' | 'approve'> | null;
  /** Called with the reviewed command and the action that ran, if a command was changed after its review. */
  readonly onRewritten?: (asked: string, ran: Action) => void;
};

export const NO_PLACE: RunPlace = {
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
 * Opens the review of an attempt. With a hook, an action in the stream that wasn't allowed ends the attempt. Without a
 * hook, only the stream is judged: a denied action has already begun, and ends the attempt.
 */
export function openReview(options: ReviewOptions): ReviewSession {
  const { review, agent, requireGate, approvals } = options;
  const contract = review.mode === 'hook' ? review.contract : null;
  const key = (action: Action) => contract?.key(action) ?? '';
  const allowed = openReviewedCalls(key);
  const denied = openReviewedCalls(key);
  const open = new Map<string, Action>();
  /** Calls that the hook asked about, because some agents' hooks don't ask about every call. */
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

  const detect = openDetection(reviewer, options, halt);

  const warnings = openLateWarnings();
  const commands = openCommands();
  const answers = openAnswers(reviewer, approvals, { allowed, denied, warnings, commands });

  function checkRan(action: Action): void {
    const asked = commands.take(action);
    if (asked === null || mode === 'off') return;
    options.onRewritten?.(asked, action);
    detect(action);
  }

  /**
   * Judges a call in the stream.
   * @param ok `null`: the stream doesn't report how the call ended.
   */
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
        detect(action, 'async');
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
        else if (mode === 'hook' && contract?.unasked?.matches(action) && !asked.has(key(action))) {
          allowed.add(action);
          detect(action);
        }
        if (mode !== 'off') open.set(action.id ?? `#${calls}`, action);
      } else if (event.kind === 'tool_result') {
        const id = event.id ?? [...open.keys()].at(-1) ?? '';
        const call = open.get(id);
        open.delete(id);
        // An action that the agent itself refused never began, so the hook needn't have asked about it.
        if (call === undefined || event.refused === true) return;
        check(call, event.ok);
        void reviewer.onEnd(call, event.ok && (event.exitCode ?? 0) === 0);
      } else if (event.kind === 'result' && event.ok && !helpers.isBusy()) {
        // Some streams don't report the ends of calls, so the remaining calls are checked here.
        for (const call of open.values()) check(call, null);
        open.clear();
      }
    },
    facts: async () => {
      const counted = await reviewer.counted();
      return { mode, why: reason, proven: ready, ...counted, unreviewed };
    },
  };
}

function openAnswers(
  reviewer: Reviewer,
  approvals: ReviewOptions['approvals'],
  kept: Readonly<Record<'allowed' | 'denied', ReviewedCalls>> & {
    readonly warnings: LateWarnings;
    readonly commands: Commands;
  },
) {
  const { allowed, denied, warnings, commands } = kept;
  async function answered(action: Action, can: HookAbilities, instead?: Ruling): Promise<Ruling> {
    const ruling = await reviewer.judge(action, can, 'hook', instead);
    (ruling.decision === 'deny' ? denied : allowed).add(action);
    warnings.keep(action, ruling);
    // The stream may report the requested or the modified form of the call.
    const changed = ruling.decision === 'modify' ? changedAction(action, ruling.input) : null;
    if (changed !== null) allowed.add(changed);
    commands.keep(changed ?? action);
    return ruling;
  }
  return {
    answered,
    /** The action waits for you only if no rule denies it. */
    approved: async (action: Action, can: HookAbilities, gone: AbortSignal): Promise<Ruling> => {
      if (approvals === null || (await reviewer.preview(action, can)).decision === 'deny')
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

type Commands = {
  readonly keep: (action: Action) => void;
  /** Returns the reviewed command, once, if another command ran; `null`: the same one ran. */
  readonly take: (ran: Action) => string | null;
};

/** Maximum number of commands that are remembered, because some calls never end. */
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

/** Returns a function that reviews an action of the stream. A denial, or a review that fails, ends the attempt. */
function openDetection(
  reviewer: Reviewer,
  { agent, approvals }: Pick<ReviewOptions, 'agent' | 'approvals'>,
  halt: (halt: Halt) => void,
) {
  return (action: Action, seen: 'detect' | 'async' = 'detect'): void => {
    const isAsked = approvals?.everyAction === true && waitsForApproval(action);
    reviewer.judge(action, WITHOUT_HOOK, seen, isAsked ? NOT_APPROVED : undefined).then(
      (ruling) => {
        if (ruling.decision !== 'deny' || ruling.harmless) return;
        const message = `${describeAction(action)} is denied, and ${agent} had begun it (${ruling.reason})`;
        halt({ why: 'denied_action', message });
      },
      () => halt({ why: 'denied_action', message: `${describeAction(action)} could not be reviewed` }),
    );
  };
}

function isAsync(action: Action, { mode, async_threshold }: ReviewSettings): boolean {
  return mode === 'async' && KIND_RISK[action.kind] < async_threshold;
}

function changedAction(action: Action, input: Action['input']): Action {
  const { command } = input;
  return { ...action, input, command: typeof command === 'string' ? command : action.command };
}

/** Returns why an agent's hook doesn't work; `null`: it does, there is none, or only a failed call wasn't reviewed. */
export function hookLost(planned: PlannedReview, facts: Omit<ReviewFacts, 'log' | 'waiting'>): string | null {
  if (planned.mode !== 'hook') return null;
  if (facts.unreviewed?.failed === false)
    return `it did this without having been allowed to: ${facts.unreviewed.action}`;
  return facts.mode === 'hook' ? null : facts.why;
}

/** Keeps warnings for agents that can only be warned once a call has ended. */
type LateWarnings = {
  readonly keep: (action: Action, ruling: Ruling) => void;
  readonly take: (action: Action) => Ruling;
};

/** Maximum number of calls that are remembered, because some never end. */
const MOST_KEPT = 100;

export function openLateWarnings(): LateWarnings {
  const waiting = new Map<string, Ruling>();
  return {
    keep: (action, ruling) => {
      if (ruling.decision !== 'warn') return;
      waiting.set(actionKey(action), ruling);
      const [oldest] = waiting.size > MOST_KEPT ? waiting.keys() : [];
      if (oldest !== undefined) waiting.delete(oldest);
    },
    take: (action) => {
      const key = actionKey(action);
      const ruling = waiting.get(key) ?? { decision: 'allow' };
      waiting.delete(key);
      return ruling;
    },
  };
}
