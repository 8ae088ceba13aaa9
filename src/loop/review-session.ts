import type { AgentEvent, GateContract, GateMessage, HaltReason } from '../domain/agent.ts';
import type { Halt } from '../domain/ports.ts';
import type { AgentAction, ReviewFacts, ReviewPlace, Ruling } from '../domain/review.ts';
import { actionKind, describeAction, restrictedRuling, reviewAction } from '../review/index.ts';

/** Denied actions that a record names. */
const BLOCKED_KEPT = 50;

export type ReviewSession = {
  /** Answers the gate. */
  readonly onMessage: (message: GateMessage) => Ruling;
  /** Looks at one event of the stream. */
  readonly onEvent: (event: AgentEvent) => void;
  /** Resolves when the attempt has to end. */
  readonly halted: Promise<Halt>;
  /** What was seen so far. */
  readonly facts: () => ReviewFacts;
};

/** How the actions of an agent are to be reviewed in its next attempt. */
export type PlannedReview =
  | { readonly mode: 'gate'; readonly contract: GateContract }
  | { readonly mode: 'detect' | 'off'; readonly why: string };

export type ReviewOptions = {
  readonly review: PlannedReview;
  /** Name of the agent. */
  readonly agent: string;
  /** An agent that takes no notice of its gate is ended with its first action, not watched. */
  readonly requireGate: boolean;
  readonly place: Omit<ReviewPlace, 'unseenInput'>;
  /** Command lines of the gates, where a person's restriction holds; `null`: none does. */
  readonly restricted: readonly string[] | null;
  /** Called for each action that would be allowed: whether the limit of operations has room for it. */
  readonly within: (action: AgentAction) => boolean;
  /** Called for each action that was judged, in the order of the rulings. */
  readonly onRuling: (action: AgentAction, ruling: Ruling) => void;
};

/** Stands in where nothing is reviewed. */
export const NOWHERE: ReviewOptions['place'] = {
  root: '/',
  home: null,
  protectedFolders: [],
  realPath: (path) => path,
};

/** A line of the iteration's `reviews.jsonl`; secrets are redacted. */
export function rulingLine(action: AgentAction, ruling: Ruling, at: string): Record<string, unknown> {
  return { at, id: action.id, tool: action.tool, action: describeAction(action), ...ruling };
}

/** Ends the attempt by itself, so it counts as no denial. */
const OVER_THE_LIMIT: Ruling = {
  decision: 'deny',
  rule: 'limit_crossed',
  reason: 'The limit of file operations of this attempt is reached, and the attempt ends here.',
};

type Call = { readonly key: string; readonly action: AgentAction };

/**
 * The review of one attempt. With a gate, each action is judged before it happens, and what the stream tells is held
 * against that: an action that nobody allowed ends the attempt. Without one the stream is all there is: an action that
 * is denied has begun when it is seen, and ends the attempt.
 */
export function openReview(options: ReviewOptions): ReviewSession {
  const { review, agent, requireGate, place, restricted, within, onRuling } = options;
  const contract = review.mode === 'gate' ? review.contract : null;
  const allowed = new Set<string>();
  const denied = new Set<string>();
  /** Calls of the stream whose end was not seen yet, by their number. */
  const open = new Map<string, Call>();
  let calls = 0;
  const blocked: ReviewFacts['blocked'] = [];
  const counts = { allowed: 0, denied: 0 };
  const reviewed: ReviewPlace = { ...place, unseenInput: contract?.unseenInput ?? false };
  let mode: ReviewFacts['mode'] = review.mode;
  let reason = review.mode === 'gate' ? '' : review.why;
  let ready = false;
  let unreviewed: ReviewFacts['unreviewed'] = null;
  let halt: (halt: Halt) => void = () => undefined;
  const halted = new Promise<Halt>((resolve) => {
    halt = resolve;
  });

  function judge(action: AgentAction): Ruling {
    const fixed = reviewAction(action, reviewed);
    const ruling =
      fixed.decision === 'deny' || restricted === null
        ? fixed
        : (restrictedRuling(action, restricted) ?? fixed);
    if (ruling.decision === 'allow' && !within(action)) {
      onRuling(action, OVER_THE_LIMIT);
      return OVER_THE_LIMIT;
    }
    if (ruling.decision === 'allow') counts.allowed += 1;
    else {
      counts.denied += 1;
      const { rule, reason: said } = ruling;
      if (blocked.length < BLOCKED_KEPT) {
        blocked.push({ tool: action.tool, action: describeAction(action), rule, reason: said });
      }
    }
    onRuling(action, ruling);
    return ruling;
  }

  function end(what: HaltReason, message: string): void {
    halt({ why: what, message });
  }

  /** The action has begun: only its end is left to prevent. */
  function detect(action: AgentAction): void {
    const ruling = judge(action);
    if (ruling.decision === 'deny') {
      end(
        'denied_action',
        `${describeAction(action)} is denied, and ${agent} had begun it (${ruling.reason})`,
      );
    }
  }

  /** `ok`: `null` where the stream does not tell how the call ended. */
  function check({ key, action }: Call, ok: boolean | null): void {
    if (mode !== 'gate' || actionKind(action) === 'read' || actionKind(action) === 'other') return;
    if (allowed.has(key) || (denied.has(key) && ok !== true)) return;
    if (!ready) {
      mode = 'detect';
      reason = `${agent} took no notice of its gate`;
      if (requireGate) end('unreviewed_action', `${reason}, and [review] require_gate = true`);
      else detect(action);
      return;
    }
    if (unreviewed !== null) return;
    unreviewed = { tool: action.tool, action: describeAction(action) };
    end('unreviewed_action', `${agent} did this without asking: ${unreviewed.action}`);
  }

  return {
    halted,
    onMessage: (message) => {
      if (message.kind === 'ready') ready = true;
      if (message.kind !== 'action') return { decision: 'allow' };
      // Who asks has a gate.
      ready = true;
      const { action } = message;
      const ruling = judge(action);
      const key = contract?.actionKey(action) ?? '';
      (ruling.decision === 'allow' ? allowed : denied).add(key);
      return ruling;
    },
    onEvent: (event) => {
      if (event.kind === 'tool_call') {
        const { id, tool, input } = event;
        calls += 1;
        const action: AgentAction = { id, tool, input, cwd: null };
        if (mode === 'detect') detect(action);
        else if (mode === 'gate')
          open.set(id ?? `#${calls}`, { key: contract?.callKey(action) ?? '', action });
      } else if (event.kind === 'tool_result') {
        const id = event.id ?? [...open.keys()].at(-1) ?? '';
        const call = open.get(id);
        open.delete(id);
        if (call !== undefined) check(call, event.ok);
      } else if (event.kind === 'result' && event.ok) {
        // Some streams are read without the ends of calls.
        for (const call of open.values()) check(call, null);
        open.clear();
      }
    },
    facts: () => ({ mode, why: reason, proven: ready, ...counts, blocked, unreviewed }),
  };
}

/** Why an agent's gate does not hold; `null` where it does, or there was none to hold. */
export function gateLost(planned: PlannedReview, facts: ReviewFacts): string | null {
  if (planned.mode !== 'gate') return null;
  if (facts.unreviewed !== null) return `it did this without asking: ${facts.unreviewed.action}`;
  return facts.mode === 'gate' ? null : facts.why;
}
