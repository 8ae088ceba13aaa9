import { type Action, isKnownToAct } from '../../domain/action.ts';
import { type AgentEvent, type HookContract, type HookMessage, trackBusy } from '../../domain/agent.ts';
import type { Halt } from '../../domain/ports.ts';
import {
  type HookAbilities,
  inForce,
  NOTHING_MADE,
  type ReviewFacts,
  type ReviewPlace,
  type Ruling,
  type RunPlace,
} from '../../domain/review.ts';
import { describeAction, madeAfter, reviewAction } from '../../review/index.ts';
import { openHalt } from './halt.ts';
import { openReviewedCalls } from './reviewed-calls.ts';

/** Denied actions that a record names. */
const BLOCKED_KEPT = 50;

export type ReviewSession = {
  /** Answers the hook. */
  readonly onMessage: (message: HookMessage) => Ruling;
  /** Reads one event of the stream. */
  readonly onEvent: (event: AgentEvent) => void;
  /** Resolves when the attempt has to end. */
  readonly halted: Promise<Halt>;
  /** What was seen so far. */
  readonly facts: () => ReviewFacts;
};

/** How the actions of an agent are to be reviewed in its next attempt. */
export type PlannedReview =
  | { readonly mode: 'hook'; readonly contract: HookContract }
  | { readonly mode: 'detect' | 'off'; readonly why: string };

export type ReviewOptions = {
  readonly review: PlannedReview;
  /** Name of the agent. */
  readonly agent: string;
  /** An agent whose hook isn't in force is ended with its first action, not watched. */
  readonly requireGate: boolean;
  readonly place: RunPlace;
  /** When the attempt began, in milliseconds since 1970. */
  readonly beganAt: number;
  /** Called for each action that would be allowed: whether the limit of operations has room for it. */
  readonly within: (action: Action) => boolean;
  /** Called for each action that was judged, in the order of the rulings. */
  readonly onRuling: (action: Action, ruling: Ruling) => void;
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
  entries: () => [],
};

/** A line of the iteration's `reviews.jsonl`; secrets are redacted. */
export function rulingLine(action: Action, ruling: Ruling, at: string): Record<string, unknown> {
  const { decision } = ruling;
  const said = decision === 'allow' ? {} : { rule: ruling.rule, reason: ruling.reason };
  const harmless = decision === 'deny' && ruling.harmless ? { harmless: true } : {};
  return {
    at,
    id: action.id,
    tool: action.tool,
    action: describeAction(action),
    decision,
    ...said,
    ...harmless,
  };
}

const WITHOUT_HOOK: HookAbilities = { warn: false, modify: false };

/** Ends the attempt anyway, so it doesn't count as a denial. */
const OVER_THE_LIMIT: Ruling = {
  decision: 'deny',
  rule: 'limit_crossed',
  reason: 'The limit of file operations of this attempt is reached, and the attempt ends here.',
};

type Rulings = {
  readonly judge: (action: Action, can: HookAbilities) => Ruling;
  readonly counted: () => Pick<ReviewFacts, 'allowed' | 'denied' | 'harmless' | 'blocked'>;
};

/** Rules on actions one after the other, by the rules and by the limit of operations, and counts them. */
function openRulings({ place, beganAt, within, onRuling }: ReviewOptions, unseenInput: boolean): Rulings {
  const existed = (path: string) => (place.bornAt(path) ?? beganAt) < beganAt;
  let reviewed: ReviewPlace = { ...place, unseenInput, existed, made: NOTHING_MADE };
  const blocked: ReviewFacts['blocked'] = [];
  const counts = { allowed: 0, denied: 0, harmless: 0 };
  return {
    judge: (action, can) => {
      const ruling = inForce(reviewAction(action, reviewed), can);
      if (ruling.decision !== 'deny' && !within(action)) {
        onRuling(action, OVER_THE_LIMIT);
        return OVER_THE_LIMIT;
      }
      if (ruling.decision !== 'deny') {
        counts.allowed += 1;
        reviewed = { ...reviewed, made: madeAfter(action, reviewed) };
      } else counts[ruling.harmless ? 'harmless' : 'denied'] += 1;
      if (ruling.decision === 'deny' && !ruling.harmless && blocked.length < BLOCKED_KEPT) {
        const { rule, reason } = ruling;
        blocked.push({ tool: action.tool, action: describeAction(action), rule, reason });
      }
      onRuling(action, ruling);
      return ruling;
    },
    counted: () => ({ ...counts, blocked }),
  };
}

/**
 * The review of one attempt. With a hook, each action is judged before it happens, and the stream is checked against
 * that: an action that wasn't allowed ends the attempt. Without one the stream is all there is: a denied action has
 * begun when it is seen, and ends the attempt.
 */
export function openReview(options: ReviewOptions): ReviewSession {
  const { review, agent, requireGate } = options;
  const contract = review.mode === 'hook' ? review.contract : null;
  const key = (action: Action) => contract?.key(action) ?? '';
  const allowed = openReviewedCalls(key);
  const denied = openReviewedCalls(key);
  /** Calls of the stream whose end was not seen yet, by their number. */
  const open = new Map<string, Action>();
  let calls = 0;
  const rulings = openRulings(options, contract?.unseenInput ?? false);
  let mode: ReviewFacts['mode'] = review.mode;
  let reason = review.mode === 'hook' ? '' : review.why;
  let ready = false;
  let unreviewed: ReviewFacts['unreviewed'] = null;
  const { halted, halt } = openHalt();
  const helpers = trackBusy('helper');

  const judge = (action: Action) =>
    rulings.judge(action, mode === 'hook' && contract !== null ? contract.can : WITHOUT_HOOK);

  /** The action has begun: what is left is to end the attempt. */
  function detect(action: Action): void {
    const ruling = judge(action);
    if (ruling.decision !== 'deny' || ruling.harmless) return;
    const message = `${describeAction(action)} is denied, and ${agent} had begun it (${ruling.reason})`;
    halt({ why: 'denied_action', message });
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
    halt({ why: 'unreviewed_action', message: `${agent} did this without asking: ${unreviewed.action}` });
  }

  return {
    halted,
    onMessage: (message) => {
      if (message.kind === 'ready' || message.kind === 'action') ready = true;
      if (message.kind !== 'action') return { decision: 'allow' };
      const { action } = message;
      const ruling = judge(action);
      (ruling.decision === 'deny' ? denied : allowed).add(action);
      // The stream may report the call as it was asked for or as it happened.
      if (ruling.decision === 'modify') allowed.add(changedAction(action, ruling.input));
      return ruling;
    },
    onEvent: (event) => {
      helpers.onEvent(event);
      if (event.kind === 'tool_call') {
        const { action } = event;
        calls += 1;
        if (mode === 'detect') detect(action);
        else if (mode === 'hook') open.set(action.id ?? `#${calls}`, action);
      } else if (event.kind === 'tool_result') {
        const id = event.id ?? [...open.keys()].at(-1) ?? '';
        const call = open.get(id);
        open.delete(id);
        // What the agent turned down itself never began, so there was nothing to ask.
        if (call !== undefined && event.refused !== true) check(call, event.ok);
      } else if (event.kind === 'result' && event.ok && !helpers.any()) {
        // Of some streams the ends of calls aren't read.
        for (const call of open.values()) check(call, null);
        open.clear();
      }
    },
    facts: () => ({ mode, why: reason, proven: ready, ...rulings.counted(), unreviewed }),
  };
}

/** A call as the answer to it made it. */
function changedAction(action: Action, input: Action['input']): Action {
  const { command } = input;
  return { ...action, input, command: typeof command === 'string' ? command : action.command };
}

/** Why an agent's hook isn't in force; `null` where it is, there was none, or only a call that failed speaks against it. */
export function hookLost(planned: PlannedReview, facts: ReviewFacts): string | null {
  if (planned.mode !== 'hook') return null;
  if (facts.unreviewed?.failed === false) return `it did this without asking: ${facts.unreviewed.action}`;
  return facts.mode === 'hook' ? null : facts.why;
}
