import { agentAvailability, isReached } from '../decide/index.ts';
import type { AgentFacts, Wait } from '../domain/records/choice.ts';
import { controlOf } from '../domain/records/run-control.ts';
import type { State } from '../domain/records/state.ts';
import type { LoopContext } from './context.ts';

/** Milliseconds between two checks of the journal and of the wall clock, which continues while a laptop sleeps. */
const SLICE_MS = 2_000;

type Waiting = Pick<LoopContext, 'ports' | 'run' | 'runUntil'>;

type AgentWait = {
  readonly wait: Wait;
  readonly reason: string;
  readonly facts: AgentFacts;
  /**
   * Time at which finished work is judged again, which needs no agent; ISO 8601 UTC. `null`: no work waits for that.
   */
  readonly asksGatesAt: string | null;
};

/**
 * Waits for an agent. The wait also ends when an agent's state changes, such as by `ralph profile --reinstate` in
 * another terminal.
 */
export async function waitForAgent(
  { ports, run }: Waiting,
  { wait, reason, facts, asksGatesAt }: AgentWait,
): Promise<void> {
  const { clock, store, stop } = ports;
  const startedMs = clock.monotonicMs();
  const untilMs = Math.min(Date.parse(wait.until), Date.parse(asksGatesAt ?? wait.until));
  const plannedMs = untilMs - Date.parse(facts.now);
  const names = facts.agents.map(({ name }) => name);
  const seen = (state: State) => JSON.stringify([agentAvailability(state, names), controlOf(state, run)]);
  const before = JSON.stringify([facts.agents, controlOf(store.state, run)]);
  store.writeViews();
  store.commit([{ type: 'wait_started', wait: { for: 'agent', ...wait, reason, working: 0 } }]);
  while (!stop.polite.aborted) {
    const passedMs = clock.monotonicMs() - startedMs;
    const leftMs = Math.min(untilMs - Date.parse(clock.now()), plannedMs - passedMs);
    if (leftMs <= 0) break;
    await clock.sleep(Math.min(leftMs, SLICE_MS), stop.polite);
    if (seen(store.refresh()) !== before) break;
  }
  const durationMs = clock.monotonicMs() - startedMs;
  store.commit([{ type: 'wait_finished', for: 'agent', durationMs, over: !stop.polite.aborted }]);
}

export async function waitWhilePaused({ ports, run, runUntil }: Waiting, since: string): Promise<void> {
  const { clock, store, stop } = ports;
  const startedMs = clock.monotonicMs();
  store.writeViews();
  store.commit([{ type: 'wait_started', wait: { for: 'you', since } }]);
  while (!stop.polite.aborted && !isReached(runUntil, clock.now())) {
    await clock.sleep(SLICE_MS, stop.polite);
    const { stop: asked, pausedAt } = controlOf(store.refresh(), run);
    if (asked === 'after_attempt' || pausedAt !== since) break;
  }
  const over = controlOf(store.state, run).pausedAt !== since;
  const durationMs = clock.monotonicMs() - startedMs;
  store.commit([{ type: 'wait_finished', for: 'you', durationMs, over }]);
}
