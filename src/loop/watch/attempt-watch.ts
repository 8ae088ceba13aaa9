import { actionPaths, describeAction, isFileOperation } from '../../actions/review/index.ts';
import type { AgentEvent } from '../../domain/agent.ts';
import { LIMIT_UNITS, type LimitKind, type Limits, type Resources } from '../../domain/intervention.ts';
import type { Observed } from '../../domain/observed.ts';
import type { Clock, Halt } from '../../domain/ports.ts';
import type { Task } from '../../domain/task.ts';
import type { Action } from '../../lib/actions/action.ts';
import { redact } from '../../lib/redact.ts';
import { openObserver, streamIssues } from '../../proof/findings/index.ts';
import { openFileOperations } from './file-operations.ts';
import { openHalt } from './halt.ts';

export type WatchOptions = {
  readonly clock: Clock;
  /** Absolute top of the work tree. */
  readonly root: string;
  readonly realPath: (path: string) => string;
  readonly task: Task;
  /** Name of the agent. */
  readonly agent: string;
  readonly limits: Limits;
  /** Values that are hidden in what is recorded. */
  readonly secrets: readonly string[];
  /**
   * Gives the words of a soft correction for an issue that shows while the attempt runs; `null`: none is due.
   */
  readonly correction: (issue: ReturnType<typeof streamIssues>[number]) => string | null;
};

export type AttemptWatch = {
  /** One event of the agent's stream. */
  readonly onEvent: (event: AgentEvent) => void;
  /** An action was denied for caution alone: its failure says nothing. */
  readonly onExcused: (action: Action) => void;
  /** Counts an action that is about to be allowed; false where it would cross the limit. */
  readonly within: (action: Action) => boolean;
  /** Input and output tokens of the attempt so far. */
  readonly onTokens: (total: number) => void;
  /** Memory of the process tree, in MiB. */
  readonly onMemory: (mib: number) => void;
  /** Messages can be sent to the agent from now on; `send` is false when it no longer listens. */
  readonly onOpen: (send: (text: string) => boolean) => void;
  /** Resolves when a limit is crossed. */
  readonly halted: Promise<Halt>;
  readonly observed: () => Observed;
  readonly resources: (durationMs: number) => Resources;
};

type LimitCheck = {
  readonly halted: Promise<Halt>;
  readonly check: (limit: LimitKind, allowed: number, seen: number) => void;
  /** Whether the agent has given its closing report: nothing is left to end. */
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
      // Some agents report what they used with their closing report alone, in the same line.
      void Promise.resolve().then(() => {
        if (!closed) halt({ why: 'limit_crossed', message, crossed });
      });
    },
    close: (now) => {
      closed = now;
    },
  };
}

/** Records what an agent does and uses while it works, and ends the attempt when it crosses a limit. */
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
