import type { GateRequest } from '../../domain/human/gate.ts';
import type { Answer, Asking } from '../commands/human/approvals.ts';
import { askingOf } from '../commands/human/approvals.ts';
import type { Workspace } from '../setup/workspace.ts';
import { decideGate, findOption } from './decide-gate.ts';

export type AskGate = (asking: Asking, stop: AbortSignal) => Promise<Answer | null>;

/** Asks you at a request of a run and carries the answer out; what is wrong with it is said, and you are asked again. */
export function askGateFor(workspace: Workspace, ask: AskGate | null, warn: (message: string) => void) {
  if (ask === null) return null;
  return async (request: GateRequest, stop: AbortSignal): Promise<'decided' | 'left'> => {
    while (!stop.aborted) {
      const answer = await ask(askingOf(workspace, request), stop);
      if (answer === null) return 'left';
      const option = findOption(request, answer.option);
      if (!option.ok) {
        warn(option.message);
        continue;
      }
      const done = await decideGate(workspace, request, option.entry, { ...answer, key: null });
      if (done.ok) return option.entry.effect === 'decides' ? 'decided' : 'left';
      warn(done.message);
    }
    return 'left';
  };
}
