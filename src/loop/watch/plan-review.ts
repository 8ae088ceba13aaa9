import type { AgentAdapter, HookContract } from '../../domain/agent.ts';
import type { Ports } from '../../domain/ports.ts';
import type { ReviewSetup } from '../context.ts';
import type { PlannedReview } from './review-session.ts';

/**
 * How the actions of an agent are to be reviewed in its next attempt.
 *
 * @param lost why its hook is known not to be in force, from an attempt before; `null`: nothing speaks against it.
 */
export function planReview(
  adapter: Pick<AgentAdapter, 'name' | 'output' | 'hook'>,
  setup: ReviewSetup | null,
  lost: string | null,
): PlannedReview {
  if (setup === null) return { mode: 'off', why: '[review] enabled = false' };
  if (adapter.hook !== null && lost === null) return { mode: 'hook', contract: adapter.hook };
  if (adapter.hook === null && adapter.output === 'text') {
    return { mode: 'off', why: `${adapter.name} prints plain text, so its actions can't be reviewed` };
  }
  return { mode: 'detect', why: lost ?? `${adapter.name} can't be made to ask before it acts` };
}

/** Why an agent may not start: a hook is required and there is none. `null` when it may. */
export function hookProblem(
  agent: string,
  review: PlannedReview,
  setup: ReviewSetup | null,
  restricted = false,
): string | null {
  const why = review.mode === 'hook' ? review.contract.unasked?.what : review.why;
  if (why === undefined) return null;
  if (restricted) {
    return (
      `${agent} is not started: after the emergency stop each action has to be reviewed before it happens, and that ` +
      `cannot be done here (${why}). Use an agent with a hook (\`ralph run --agent\`).`
    );
  }
  if (setup?.requireGate !== true) return null;
  return (
    `${agent} is not started: its actions cannot be stopped before they happen (${why}), ` +
    'and [review] require_gate = true asks for that. Use another agent, or set require_gate = false.'
  );
}

function howOf({ transport, unasked }: HookContract): string {
  return unasked === undefined ? transport : `${transport}; ${unasked.what}`;
}

/** How the agents of a run are reviewed, attempt after attempt. */
export type ReviewPlans = {
  /** For the next attempt of an agent; shown where it changed. `restricted`: you restricted the agent. */
  readonly next: (
    adapter: AgentAdapter,
    restricted: boolean,
  ) =>
    | { readonly ok: true; readonly review: PlannedReview }
    | { readonly ok: false; readonly message: string };
  /** For an agent in a role beside the maker. */
  readonly of: (adapter: AgentAdapter) => PlannedReview;
  /** The hook of an agent isn't in force. Shown at once: there may be no attempt after this one. */
  readonly lose: (adapter: AgentAdapter, why: string) => void;
  /** Agents whose hook isn't in force, with the reason. */
  readonly lost: ReadonlyMap<string, string>;
};

export function reviewPlans(setup: ReviewSetup | null, store: Ports['store']): ReviewPlans {
  const lost = new Map<string, string>();
  const reported = new Map<string, string>();
  const say = (agent: string, review: PlannedReview) => {
    const { mode } = review;
    const how = review.mode === 'hook' ? howOf(review.contract) : review.why;
    if (reported.get(agent) === `${mode} ${how}`) return;
    reported.set(agent, `${mode} ${how}`);
    store.commit([{ type: 'review_planned', agent, mode, how }]);
  };
  const planOf = (adapter: AgentAdapter) => planReview(adapter, setup, lost.get(adapter.name) ?? null);
  return {
    lost,
    of: planOf,
    next: (adapter, restricted) => {
      const review = planOf(adapter);
      const message = hookProblem(adapter.name, review, setup, restricted);
      if (message !== null) return { ok: false, message };
      say(adapter.name, review);
      return { ok: true, review };
    },
    lose: (adapter, why) => {
      lost.set(adapter.name, why);
      say(adapter.name, planOf(adapter));
    },
  };
}
