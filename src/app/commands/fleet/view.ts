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

/** Reads the fleet of a repository again and again; `null`: the address of its engine isn't set. */
export function openFleetView(input: ProjectInput): () => Promise<FleetView | null> {
  /** While the engine is away one question waits for it, not one of each look. */
  let asked: Promise<FleetView> | null = null;
  const ask = async (): Promise<FleetView> => {
    try {
      const read = await fleetStatus(input);
      return read.ok ? { status: read.data, problem: null } : { status: null, problem: read.message };
    } finally {
      asked = null;
    }
  };
  return async () => {
    if (FLEET_ADDRESS.url === '') return null;
    asked ??= ask();
    const over = new AbortController();
    const late = sleep(PATIENCE_MS, LATE, { signal: over.signal, ref: false }).catch(() => LATE);
    return Promise.race([asked, late]).finally(() => over.abort());
  };
}

const LATE: FleetView = { status: null, problem: "The engine of the fleet doesn't answer." };
