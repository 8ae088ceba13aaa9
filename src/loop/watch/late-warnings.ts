import { actionKey } from 'ralph-actions/review';
import type { Action, Ruling } from 'ralph-kit/actions/action';

/** Keeps warnings for agents that can only be warned once a call has ended. */
export type LateWarnings = {
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
