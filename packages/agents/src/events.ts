import type { Action } from 'ralph-kit/actions/action';
import type { AgentEvent, ModelUsage } from './event.ts';
import { outputText, type Reader, readLine } from './lenient.ts';

type Events = readonly AgentEvent[];

type ByType<L> = Readonly<Record<string, (line: L) => Events>>;

/** Returns a line's events by its type; empty for unlisted types. */
export function eventsOf<L extends { readonly type: string }>(line: L, byType: ByType<L>): Events {
  return Object.hasOwn(byType, line.type) ? (byType[line.type]?.(line) ?? []) : [];
}

export function streamParser<L extends { readonly type: string }>(reader: Reader<L>, byType: ByType<L>) {
  return (text: string): Events => {
    const line = readLine(text, reader);
    return line === null ? [] : eventsOf(line, byType);
  };
}

export function textEvents(text: string, delta = false): Events {
  return text === '' ? [] : [{ kind: 'text', text, delta }];
}

export function inSession(id: string): Events {
  return id === '' ? [] : [{ kind: 'session', id }];
}

export function called(action: Action): AgentEvent {
  return { kind: 'tool_call', action };
}

/** Returns the end of a call. `output` may have any of the agents' forms (`outputText`). */
export function returned(
  id: string | null,
  ok: boolean,
  output: unknown,
  exitCode?: number | null,
): AgentEvent {
  const code = exitCode == null ? {} : { exitCode };
  return { kind: 'tool_result', id, ok, output: outputText(output), ...code };
}

export function refused(id: string | null, message: unknown): AgentEvent {
  return { kind: 'tool_result', id, ok: false, output: outputText(message), refused: true };
}

type Busy = Extract<AgentEvent, { kind: 'busy' }>;

export function busy(what: Busy['what'], who: string, isBusy: boolean): AgentEvent {
  return { kind: 'busy', what, who, busy: isBusy };
}

/** Returns the event that names the model; empty when the agent names none. */
export function withModel(model: string): Events {
  return model === '' ? [] : [{ kind: 'model', model }];
}

type Tokens = {
  /** Input tokens, including those read from and written to the cache. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
};

/** Returns the usage of one model; an empty `model` means unknown. */
export function usageOf(model: string, tokens: Tokens, costUsd: number | null = null): ModelUsage {
  const { input, output, cached, cacheWrite } = tokens;
  return {
    model: model === '' ? null : model,
    inputTokens: input,
    outputTokens: output,
    cachedTokens: cached,
    cacheWriteTokens: cacheWrite,
    costUsd,
  };
}

/** Returns a report of usage. `add`: one step's share; `total`: all so far. */
export function used(scope: 'add' | 'total', ...usage: readonly ModelUsage[]): AgentEvent {
  return { kind: 'usage', scope, usage };
}

export function succeeded(text: string | null = null): AgentEvent {
  return { kind: 'result', ok: true, text: text === '' ? null : text };
}

export function failed(causes: Events): Events {
  return [...causes, { kind: 'result', ok: false, text: null }];
}

/** Returns a failure caused by the work, whatever words it quotes. */
export function ownFailure(message: string): Extract<AgentEvent, { kind: 'error' }> {
  return { kind: 'error', cause: 'other', message, fatal: true };
}
