import { standings } from '../decide/index.ts';
import type { AgentFacts, Wait } from '../domain/choice.ts';
import type { LoopContext } from './context.ts';

/** How often a wait checks the wall clock, which runs on while a laptop sleeps, and the journal. */
const SLICE_MS = 2_000;

/**
 * Waits until the time is over by either clock, you stop the run, or the state of the agents changes (such
 * as `ralph profile --reinstate` in another terminal). What is done then is chosen anew.
 */
export async function waitForAgent(
  { ports }: Pick<LoopContext, 'ports'>,
  { wait, reason, facts }: { readonly wait: Wait; readonly reason: string; readonly facts: AgentFacts },
): Promise<void> {
  const { clock, store, stop, emit } = ports;
  const startedMs = clock.monotonicMs();
  const untilMs = Date.parse(wait.until);
  const plannedMs = untilMs - Date.parse(facts.now);
  const names = facts.agents.map(({ name }) => name);
  const before = JSON.stringify(facts.agents);
  store.writeViews();
  emit({ kind: 'waiting', agent: wait.agent, cause: wait.cause, reason, until: wait.until });
  while (!stop.polite.aborted) {
    const passedMs = clock.monotonicMs() - startedMs;
    const leftMs = Math.min(untilMs - Date.parse(clock.now()), plannedMs - passedMs);
    if (leftMs <= 0) break;
    await clock.sleep(Math.min(leftMs, SLICE_MS), stop.polite);
    if (JSON.stringify(standings(store.refresh(), names)) !== before) break;
  }
  const durationMs = clock.monotonicMs() - startedMs;
  emit({ kind: 'waited', agent: wait.agent, durationMs, stopped: stop.polite.aborted });
}
