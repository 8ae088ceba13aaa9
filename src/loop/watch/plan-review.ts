import type { HookContract } from 'ralph-agents/hook';
import { isWordsAlone } from 'ralph-agents/known';
import type { AgentAdapter } from 'ralph-agents/protocol';
import type { Ports } from '../../domain/ports.ts';
import type { ReviewSetup } from '../context.ts';
import type { PlannedReview } from './review-session.ts';

/**
 * Returns how an agent's actions are reviewed.
 * @param lost Why the agent's hook failed in an earlier attempt; `null`: it didn't
 */
export function planReview(
  adapter: Pick<AgentAdapter, 'name' | 'output' | 'hook'>,
  setup: ReviewSetup | null,
  lost: string | null,
): PlannedReview {
  if (setup === null) return { mode: 'off', why: '[review] enabled = false' };
  if (adapter.hook !== null && lost === null) return { mode: 'hook', contract: adapter.hook };
  if (adapter.hook === null && isWordsAlone(adapter.output)) {
    return {
      mode: 'off',
      why: `${adapter.name} prints ${adapter.output === 'text' ? 'plain text' : 'its words alone'}, so its actions can't be reviewed`,
    };
  }
  return { mode: 'detect', why: lost ?? `${adapter.name} can't be made to ask before it acts` };
}

/** Returns why an agent can't start although a hook is required; `null`: it can. */
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

export type ReviewPlans = {
  /**
   * Plans the review of the next attempt, and reports if it changed. `restricted`: whether you restricted the agent.
   */
  readonly next: (
    adapter: AgentAdapter,
    restricted: boolean,
  ) =>
    | { readonly ok: true; readonly review: PlannedReview }
    | { readonly ok: false; readonly message: string };
  readonly planFor: (adapter: AgentAdapter) => PlannedReview;
  /**
   * Remembers and reports that an agent's hook doesn't work. The report is immediate, because there may be no further
   * attempt.
   */
  readonly lose: (adapter: AgentAdapter, why: string) => void;
  /** Agents whose hook doesn't work, with the reasons. */
  readonly failedHooks: ReadonlyMap<string, string>;
};

export function reviewPlans(setup: ReviewSetup | null, store: Ports['store']): ReviewPlans {
  const failedHooks = new Map<string, string>();
  const reported = new Map<string, string>();
  const say = (agent: string, review: PlannedReview) => {
    const { mode } = review;
    const how = review.mode === 'hook' ? howOf(review.contract) : review.why;
    if (reported.get(agent) === `${mode} ${how}`) return;
    reported.set(agent, `${mode} ${how}`);
    store.commit([{ type: 'review_planned', agent, mode, how }]);
  };
  const planOf = (adapter: AgentAdapter) => planReview(adapter, setup, failedHooks.get(adapter.name) ?? null);
  return {
    failedHooks,
    planFor: planOf,
    next: (adapter, restricted) => {
      const review = planOf(adapter);
      const message = hookProblem(adapter.name, review, setup, restricted);
      if (message !== null) return { ok: false, message };
      say(adapter.name, review);
      return { ok: true, review };
    },
    lose: (adapter, why) => {
      failedHooks.set(adapter.name, why);
      say(adapter.name, planOf(adapter));
    },
  };
}
