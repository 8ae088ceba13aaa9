import type { PhaseState } from './state.ts';

export type AtWork = {
  readonly worker: number;
  readonly taskId: string;
  /** Number of the attempt's iteration; `null`: the attempt has ended, and its result is landing. */
  readonly iteration: number | null;
  readonly agent: string | null;
  /** What the worker is at: `agent` while the agent works; all other phases come later. */
  readonly phase: 'agent' | PhaseState['name'];
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Place in the queue for gates, from 1; `null`: not in the queue. */
  readonly place: number | null;
};

export function atWorkWords({ agent, phase, place }: Pick<AtWork, 'agent' | 'phase' | 'place'>): string {
  return {
    agent: `${agent ?? 'its agent'} works`,
    turn: `waits for its turn${place === null ? '' : ` (number ${place})`}`,
    gates: 'gates run',
    review: 'agents check its work',
    landing: 'lands',
  }[phase];
}
