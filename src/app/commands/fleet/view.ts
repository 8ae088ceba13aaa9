import { setTimeout as sleep } from 'node:timers/promises';
import { FLEET_ADDRESS } from '../../setup/fleet-address.ts';
import type { ProjectInput } from '../../setup/workspace.ts';
import { type FleetStatusResult, fleetStatus } from './control.ts';

/** The fleet as `ralph fleet status` has it, or why that isn't known. */
export type FleetView =
  | { readonly status: FleetStatusResult; readonly problem: null }
  | { readonly status: null; readonly problem: string };

/** An answer that takes longer is none for now, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Reads the fleet of a repository again and again; `null`: the address of its engine isn't set. While the engine is away, one look waits
 * for it; those after it say so at once.
 */
export function openFleetView(input: ProjectInput): () => Promise<FleetView | null> {
  /** One question waits, not one of each look. */
  let asked: Promise<FleetView> | null = null;
  let last: FleetView | null = null;
  const ask = async (): Promise<FleetView> => {
    try {
      const read = await fleetStatus(input);
      last = read.ok ? { status: read.data, problem: null } : { status: null, problem: read.message };
      return last;
    } finally {
      asked = null;
    }
  };
  return async () => {
    if (FLEET_ADDRESS.url === '') return null;
    asked ??= ask();
    if (last !== null && last.problem !== null) return last;
    const over = new AbortController();
    const late = sleep(PATIENCE_MS, null, { signal: over.signal, ref: false }).catch(() => null);
    last = (await Promise.race([asked, late]).finally(() => over.abort())) ?? LATE;
    return last;
  };
}

const LATE: FleetView = { status: null, problem: "The engine of the fleet doesn't answer." };
