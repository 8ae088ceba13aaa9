import type { AgentEvent, ModelUsage } from '../domain/agent.ts';
import type { Action } from '../lib/actions/action.ts';
import { outputText, type Reader, readLine } from './lenient.ts';

type Events = readonly AgentEvent[];

type ByType<L> = Readonly<Record<string, (line: L) => Events>>;

/** The events of a line by its type; a type that isn't in the table gives none. */
export function eventsOf<L extends { readonly type: string }>(line: L, byType: ByType<L>): Events {
  return Object.hasOwn(byType, line.type) ? (byType[line.type]?.(line) ?? []) : [];
}

export function streamParser<L extends { readonly type: string }>(reader: Reader<L>, byType: ByType<L>) {
  return (text: string): Events => {
    const line = readLine(text, reader);
    return line === null ? [] : eventsOf(line, byType);
  };
}

/** Words of the agent; nothing where there are none. */
export function textEvents(text: string, delta = false): Events {
  return text === '' ? [] : [{ kind: 'text', text, delta }];
}

export function inSession(id: string): Events {
  return id === '' ? [] : [{ kind: 'session', id }];
}

export function called(action: Action): AgentEvent {
  return { kind: 'tool_call', action };
}

/** @param output in any of the forms that agents use (`outputText`). */
export function returned(
  id: string | null,
  ok: boolean,
  output: unknown,
  exitCode?: number | null,
): AgentEvent {
  const code = exitCode == null ? {} : { exitCode };
  return { kind: 'tool_result', id, ok, output: outputText(output), ...code };
}

/** The agent turned a call down before its tool began. */
export function refused(id: string | null, message: unknown): AgentEvent {
  return { kind: 'tool_result', id, ok: false, output: outputText(message), refused: true };
}

type Busy = Extract<AgentEvent, { kind: 'busy' }>;

export function busy(what: Busy['what'], who: string, isBusy: boolean): AgentEvent {
  return { kind: 'busy', what, who, busy: isBusy };
}

/** Nothing where the agent doesn't say which. */
export function withModel(model: string): Events {
  return model === '' ? [] : [{ kind: 'model', model }];
}

type Tokens = {
  /** What came from the cache and what was written to it are parts of it. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
};

/** @param model empty: the agent doesn't say which. */
export function usageOf(model: string, tokens: Tokens, costUsd: number | null = null): ModelUsage {
  const { input, output, cached, cacheWrite } = tokens;
  return {
    model: model === '' ? null : model,
    ...{ inputTokens: input, outputTokens: output, cachedTokens: cached, cacheWriteTokens: cacheWrite },
    costUsd,
  };
}

/** `add`: one step's share; `total`: all so far. */
export function used(scope: 'add' | 'total', ...usage: readonly ModelUsage[]): AgentEvent {
  return { kind: 'usage', scope, usage };
}

/** The agent's report of its success, with its final message where the report carries one. */
export function succeeded(text: string | null = null): AgentEvent {
  return { kind: 'result', ok: true, text: text === '' ? null : text };
}

/** The end of an attempt that failed, after what it failed of. */
export function failed(causes: Events): Events {
  return [...causes, { kind: 'result', ok: false, text: null }];
}

/** A failure whose cause is the work itself, whatever words it quotes. */
export function ownFailure(message: string): AgentEvent {
  return { kind: 'error', cause: 'other', message, fatal: true };
}
