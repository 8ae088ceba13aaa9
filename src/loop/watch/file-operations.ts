import { describeAction, isFileOperation, openWrites } from '../../actions/review/index.ts';
import type { AgentEvent } from '../../domain/agent.ts';
import type { Action } from '../../lib/actions/action.ts';

/** The file operations of an attempt. What the agent turned down itself is none. */
export type FileOperations = {
  /** The hook asks about an operation that is about to be allowed. */
  readonly onAsked: (action: Action) => void;
  readonly onCall: (action: Action) => void;
  readonly onResult: (result: Extract<AgentEvent, { kind: 'tool_result' }>) => void;
  /** Those that the hook asked about. */
  readonly asked: () => number;
  /** The stream reports the same ones again that the hook asked about, perhaps later, perhaps not. */
  readonly count: () => number;
  /** The files that they can have written, relative to the top of the work tree; `null`: any. */
  readonly written: () => string[] | null;
};

/** Calls whose end was not seen that are remembered. */
const OPEN_KEPT = 500;

export function openFileOperations(root: string, realPath: (path: string) => string): FileOperations {
  const writes = openWrites(root, realPath);
  /** How often the hook asked about an operation, by what it is. */
  const asked = new Map<string, number>();
  /** Calls of the stream whose end was not seen yet, by their number. */
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
