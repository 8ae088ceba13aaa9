import { setTimeout as sleep } from 'node:timers/promises';
import { FLEET_ADDRESS } from '../../setup/fleet-address.ts';
import type { ProjectInput } from '../../setup/workspace.ts';
import { type FleetStatusResult, fleetStatus } from './control.ts';

export type FleetView =
  | { readonly status: FleetStatusResult; readonly problem: null }
  | { readonly status: null; readonly problem: string };

/** Milliseconds that a view waits for an answer. */
const PATIENCE_MS = 5000;

/**
 * Returns a function that reads the fleet; `null`: no engine address is set. While the engine can't be reached, one
 * read waits, and later reads fail at once.
 */
export function openFleetView(input: ProjectInput): () => Promise<FleetView | null> {
  /** The read that is in progress. All callers share it. */
  let pending: Promise<FleetView> | null = null;
  let last: FleetView | null = null;
  const ask = async (): Promise<FleetView> => {
    try {
      const read = await fleetStatus(input);
      last = read.ok ? { status: read.data, problem: null } : { status: null, problem: read.message };
      return last;
    } finally {
      pending = null;
    }
  };
  return async () => {
    if (FLEET_ADDRESS.url === '') return null;
    pending ??= ask();
    if (last !== null && last.problem !== null) return last;
    const over = new AbortController();
    const late = sleep(PATIENCE_MS, null, { signal: over.signal, ref: false }).catch(() => null);
    last = (await Promise.race([pending, late]).finally(() => over.abort())) ?? LATE;
    return last;
  };
}

const LATE: FleetView = { status: null, problem: "The fleet's server doesn't answer." };
