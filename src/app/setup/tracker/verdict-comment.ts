import type { Store } from '../../../domain/ports.ts';
import { own } from '../../../lib/own.ts';

/** What an issue is told when ralph has verified its task. */
export function verdictComment(store: Store, taskId: string): string {
  const doneBy = own(store.state.tasks, taskId)?.doneBy;
  const where = doneBy?.kind === 'verdict' ? ` in iteration ${doneBy.iteration} of run ${doneBy.run}` : '';
  return `Done and verified by ralph${where}.\n`;
}
