import { actionPaths, describeAction, isFileOperation, openWrites } from 'ralph-actions/review';
import type { AgentEvent } from 'ralph-agents/event';
import type { Action } from 'ralph-kit/actions/action';
import { redact } from 'ralph-kit/redact';
import { LIMIT_UNITS, type LimitKind, type Limits, type Resources } from '../../domain/intervention.ts';
import type { Observed } from '../../domain/observed.ts';
import type { Clock, Halt } from '../../domain/ports.ts';
import type { Task } from '../../domain/task.ts';
import { openObserver, streamIssues } from '../../proof/findings/index.ts';
import { openHalt } from './halt.ts';

export type WatchOptions = {
  readonly clock: Clock;
  /** Absolute path of the top of the work tree. */
  readonly root: string;
  readonly realPath: (path: string) => string;
  readonly task: Task;
  readonly agent: string;
  readonly limits: Limits;
  readonly secrets: readonly string[];
  /** Returns the text of a soft correction for an issue seen during the attempt; `null`: none is due. */
  readonly correction: (issue: ReturnType<typeof streamIssues>[number]) => string | null;
};

export type AttemptWatch = {
  readonly onEvent: (event: AgentEvent) => void;
  /** Called for an action that was denied only as a precaution, so that its failure doesn't count. */
  readonly onExcused: (action: Action) => void;
  /** Counts an action that is about to be allowed. Returns false if it would cross the limit. */
  readonly within: (action: Action) => boolean;
  /** Called with the input and output tokens of the attempt so far. */
  readonly onTokens: (total: number) => void;
  /** Called with the memory of the process tree, in MiB. */
  readonly onMemory: (mib: number) => void;
  /** Called once messages can reach the agent. `send` returns false when the agent no longer listens. */
  readonly onOpen: (send: (text: string) => boolean) => void;
  readonly halted: Promise<Halt>;
  readonly observed: () => Observed;
  readonly resources: (durationMs: number) => Resources;
};

type LimitCheck = {
  readonly halted: Promise<Halt>;
  readonly check: (limit: LimitKind, allowed: number, seen: number) => void;
  readonly close: (closed: boolean) => void;
};

function openLimitCheck(agent: string): LimitCheck {
  let closed = false;
  const { halted, halt } = openHalt();
  return {
    halted,
    check: (limit, allowed, seen) => {
      if (allowed <= 0 || seen <= allowed) return;
      const message = `${agent} crossed its limit of ${allowed} ${LIMIT_UNITS[limit]} (${Math.round(seen)})`;
      const crossed = { limit, allowed, seen: Math.round(seen) };
      // Some agents report their usage only in the line of their final report, so the end has to wait for it.
      void Promise.resolve().then(() => {
        if (!closed) halt({ why: 'limit_crossed', message, crossed });
      });
    },
    close: (now) => {
      closed = now;
    },
  };
}

export function watchAttempt(options: WatchOptions): AttemptWatch {
  const { clock, root, task, agent, limits, secrets, correction } = options;
  const begin = clock.monotonicMs();
  const atMs = () => Math.round(clock.monotonicMs() - begin);
  const observer = openObserver((text) => redact(text, secrets));
  const corrected = new Set<string>();
  const operations = openFileOperations(root, options.realPath);
  let send: ((text: string) => boolean) | null = null;
  const { halted, check, close } = openLimitCheck(agent);
  const observed = () => ({
    ...observer.observed(),
    fileOperations: operations.count(),
    writes: operations.written(),
  });

  const correct = () => {
    if (send === null) return;
    for (const issue of streamIssues(observed(), task)) {
      if (corrected.has(issue.type)) continue;
      const text = correction(issue);
      if (text === null || !send(text)) continue;
      corrected.add(issue.type);
      observer.onCorrection({ issue: issue.type, text }, atMs());
    }
  };

  return {
    halted,
    onEvent: (event) => {
      if (event.kind === 'tool_call') {
        const { action } = event;
        const { id, tool, kind } = action;
        close(false);
        operations.onCall(action);
        observer.onCall(
          {
            id,
            tool,
            kind,
            text: describeAction(action),
            paths: actionPaths(action, root),
            counts: isFileOperation(action),
          },
          atMs(),
        );
        check('file_operations', limits.fileOperations, operations.count());
      } else if (event.kind === 'tool_result') {
        const { id, output, exitCode = 0, refused = false } = event;
        operations.onResult(event);
        observer.onResult({ id, ok: event.ok && exitCode === 0, refused, output }, atMs());
        correct();
      } else if (event.kind === 'result') close(true);
    },
    onExcused: (action) => observer.onExcused(describeAction(action)),
    within: (action) => {
      if (!isFileOperation(action)) return true;
      operations.onAsked(action);
      check('file_operations', limits.fileOperations, operations.count());
      return limits.fileOperations === 0 || operations.asked() <= limits.fileOperations;
    },
    onTokens: (total) => {
      observer.onTokens(total, atMs());
      check('tokens', limits.tokens, total);
    },
    onMemory: (mib) => {
      observer.onMemory(mib, atMs());
      check('memory', limits.memoryMb, mib);
    },
    onOpen: (open) => {
      send = open;
    },
    observed,
    resources: (durationMs) => ({ ...observer.resources(durationMs), fileOperations: operations.count() }),
  };
}

/** Counts the file operations of an attempt, without those that the agent itself refused. */
type FileOperations = {
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

function openFileOperations(root: string, realPath: (path: string) => string): FileOperations {
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
