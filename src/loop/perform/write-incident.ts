import type { OpenedIncident } from '../../decide/index.ts';
import { StoreError } from '../../domain/ports.ts';
import type { LoopContext } from '../context.ts';

/** The emergency stop is recorded and in force without its report, too. */
export function writeIncident(
  { ports: { store } }: LoopContext,
  { incident: { id }, report }: OpenedIncident,
): void {
  try {
    store.writeDocument(`incidents/${id}.json`, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    store.commit([{ type: 'warned', message: `The report of ${id} could not be written: ${error.message}` }]);
  }
}
