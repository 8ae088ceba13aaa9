import type { StrategyFacts } from '../domain/blocked.ts';

type AgentRecord = StrategyFacts['agents'][number];

/** Attempts of a level from which on an agent's record says something. */
const ATTEMPTS_NEEDED = 3;
/** How much larger the share of its attempts that were done must be. */
const MARGIN = 0.2;

/** The configured agent that did clearly better on the level than the one that failed; `null` when none did. */
export function betterAgent(
  agents: readonly AgentRecord[],
  current: string,
): { readonly better: AgentRecord; readonly own: AgentRecord } | null {
  const own = agents.find(({ name }) => name === current) ?? { name: current, attempts: 0, done: 0 };
  const others = agents.filter(
    (agent) =>
      agent.name !== current &&
      agent.attempts >= ATTEMPTS_NEEDED &&
      shareDone(agent) >= shareDone(own) + MARGIN,
  );
  const [better] = others.toSorted(
    (one, other) => shareDone(other) - shareDone(one) || other.attempts - one.attempts,
  );
  return better === undefined ? null : { better, own };
}

function shareDone({ attempts, done }: AgentRecord): number {
  return attempts === 0 ? 0 : done / attempts;
}
