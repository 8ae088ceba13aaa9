import { describeAction, isFileOperation, openWrites } from 'ralph-actions/review';
import type { AgentEvent } from 'ralph-agents/event';
import type { Action } from 'ralph-kit/actions/action';

/** Counts the file operations of an attempt, without those that the agent itself refused. */
export type FileOperations = {
  readonly onAsked: (action: Action) => void;
  readonly onCall: (action: Action) => void;
  readonly onResult: (result: Extract<AgentEvent, { kind: 'tool_result' }>) => void;
  readonly asked: () => number;
  /** Returns the number of operations. The stream may report the hook's actions again, later or never. */
  readonly count: () => number;
  /** Returns files that may have been written, relative to the top of the work tree; `null`: any file may. */
  readonly written: () => string[] | null;
};

const OPEN_KEPT = 500;

export function openFileOperations(root: string, realPath: (path: string) => string): FileOperations {
  const writes = openWrites(root, realPath);
  const asked = new Map<string, number>();
  /** Calls in the stream that haven't ended, by call id. */
  const open = new Map<string, Action>();
  let total = 0;
  let streamed = 0;
  const ask = (action: Action, change: 1 | -1) => {
    const text = describeAction(action);
    asked.set(text, (asked.get(text) ?? 0) + change);
    total += change;
  };
  return {
    onAsked: (action) => ask(action, 1),
    onCall: (action) => {
      writes.onCall(action);
      if (isFileOperation(action)) streamed += 1;
      if (action.id !== null) open.set(action.id, action);
      const oldest = open.size > OPEN_KEPT ? open.keys().next().value : undefined;
      if (oldest !== undefined) open.delete(oldest);
    },
    onResult: ({ id, refused }) => {
      const action = open.get(id ?? '');
      open.delete(id ?? '');
      if (refused !== true || action === undefined) return;
      writes.onRefused(action);
      if (!isFileOperation(action)) return;
      streamed -= 1;
      if ((asked.get(describeAction(action)) ?? 0) > 0) ask(action, -1);
    },
    asked: () => total,
    count: () => Math.max(total, streamed),
    written: writes.paths,
  };
}
