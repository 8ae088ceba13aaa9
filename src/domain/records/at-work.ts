import type { PhaseState } from './state.ts';

/** What a worker is at. */
export type AtWork = {
  readonly worker: number;
  readonly taskId: string;
  /** `null`: the attempt is over, and its result lands. */
  readonly iteration: number | null;
  readonly agent: string | null;
  /** `agent`: it works; what follows then. */
  readonly phase: 'agent' | PhaseState['name'];
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Of those that wait for a turn at the gates: 1 is the next one; `null`: it doesn't. */
  readonly place: number | null;
};

/** The same in words. */
export function atWorkWords({ agent, phase, place }: Pick<AtWork, 'agent' | 'phase' | 'place'>): string {
  return {
    agent: `${agent ?? 'its agent'} works`,
    turn: `waits for its turn${place === null ? '' : ` (number ${place})`}`,
    gates: 'gates run',
    review: 'agents check its work',
    landing: 'lands',
  }[phase];
}
