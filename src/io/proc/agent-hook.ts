import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { type AgentEvent, type HookMessage, trackBusy } from 'ralph-agents/event';
import type { AgentPlan } from 'ralph-agents/protocol';
import type { Ruling } from 'ralph-kit/actions/action';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { makePipe } from 'ralph-kit/programs/start/start-program';
import type { AgentProcessRequest, Clock, HookRequest } from '../../domain/ports.ts';
import { openHook, overlaySettings } from '../hook/index.ts';

/** Standard input of a program that stays open. */
export type Channel = {
  /** Descriptor for the program; the caller closes it after the start. */
  readonly stdin: number;
  /** Queues one line; returns false when the input is closed. */
  readonly send: (line: string) => boolean;
  /** Ends the input after the lines already sent. */
  readonly end: () => void;
  readonly close: () => void;
};

export type Prepared = {
  readonly plan: AgentPlan;
  readonly channel: Channel | null;
  /** Folders that the agent must see. */
  readonly folders: readonly string[];
  readonly close: () => void;
};

/** Time in seconds that an agent waits for its hook beyond the attempt's limit. */
const PATIENCE_BEYOND_SECONDS = 300;

/**
 * Makes the hook of an attempt. @param env The agent's environment without its plan's variables. @throws The Node
 * error when the hook can't be made, SettingsError when your settings can't be extended.
 */
export async function prepareHook(
  { cwd, limits, onEvent }: AgentProcessRequest,
  { contract, folder, onMessage, plan }: HookRequest,
  env: Environment,
): Promise<Prepared> {
  const hook = await openHook({
    folder,
    cwd,
    patienceSeconds: Math.ceil((limits.wallMs + limits.graceMs) / 1000) + PATIENCE_BEYOND_SECONDS,
    onMessage: async (text, gone) => {
      if (contract.transport === 'control channel' || contract.transport === 'ACP')
        return { text: '', exitCode: 2 };
      const message = contract.read(text);
      if (message.kind === 'events') for (const event of message.events) onEvent(event);
      if (message.kind === 'ready' && message.model) onEvent({ kind: 'model', model: message.model });
      return contract.answer(message, await ruled(onMessage, message, gone));
    },
  });
  let channel: Channel | null = null;
  const close = () => {
    channel?.close();
    hook.close();
  };
  try {
    const asking = plan(hook.place);
    hook.write(asking.files);
    if (asking.overlay !== undefined) overlaySettings(hook.place.folder, asking.overlay, env);
    if (asking.stdin === 'channel') channel = openChannel(hook.place.folder);
    const folders = [hook.place.folder, dirname(hook.place.socket)];
    return { plan: asking, channel, folders, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A failing reviewer allows nothing. */
export async function ruled(
  onMessage: HookRequest['onMessage'],
  message: HookMessage,
  gone: AbortSignal,
): Promise<Ruling> {
  try {
    return await onMessage(message, gone);
  } catch {
    return { decision: 'deny', rule: 'no_answer', reason: 'ralph: the reviewer failed, so this is denied.' };
  }
}

/** Opens a named pipe, which every start (`launch.ts`) can open like a file. @throws The Node error */
function openChannel(folder: string): Channel {
  const path = join(folder, 'input');
  makePipe(path);
  // Opening for both directions never waits and keeps the input open until `end`.
  const writing = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let stdin: number;
  try {
    stdin = openSync(path, constants.O_RDONLY);
  } catch (error) {
    closeSync(writing);
    throw error;
  }
  const socket = new Socket({ fd: writing, readable: false, writable: true });
  // A program's end is noticed elsewhere.
  socket.on('error', () => undefined);
  return {
    stdin,
    send: (line) => {
      if (socket.writableEnded || socket.destroyed) return false;
      socket.write(`${line}\n`);
      return true;
    },
    end: () => socket.end(),
    close: () => socket.destroy(),
  };
}

/** An agent that asks in its output stays connected until its attempt ends. */
const NEVER_GONE = new AbortController().signal;

/** Time for an agent to react to a message that arrived after its last turn, in milliseconds. */
const NEXT_TURN_MS = 2000;

export type AgentConversation = {
  /** Called for each output line, before its events. */
  readonly onLine?: (line: string) => void;
  /** Returns whether the event belongs to this attempt. */
  readonly onEvent: (event: AgentEvent) => boolean;
  /** Resolves when the agent has stopped its work. */
  readonly cancel?: () => Promise<void>;
  /** Called after the end, when all output was read; returns why no work began, or `null`. */
  readonly over?: () => string | null;
};

/**
 * Runs a control channel: opens the hook, sends the prompt, answers questions, and closes the channel at the result
 * unless a message or background work causes another turn, which needs the channel for its questions.
 */
export function converse(channel: Channel, request: AgentProcessRequest, clock: Clock): AgentConversation {
  if (request.hook?.contract.transport !== 'control channel') throw new Error('a channel needs its contract');
  const { contract, onMessage, onOpen } = request.hook;
  const { opening, message: wrap, answer } = contract;
  channel.send(opening);
  // Whether a message may be waiting that no step has read.
  let isWaiting = false;
  const background = trackBusy('helper', 'program');
  let nextTurn = new AbortController();
  const endUnlessTurn = async () => {
    nextTurn = new AbortController();
    const { signal } = nextTurn;
    if (isWaiting) await clock.sleep(NEXT_TURN_MS, signal);
    isWaiting = false;
    if (!signal.aborted) channel.end();
  };
  const onEvent = (event: AgentEvent): void => {
    background.onEvent(event);
    if (event.kind === 'result') {
      if (!background.isBusy()) void endUnlessTurn();
    } else if (event.kind === 'session') nextTurn.abort();
    else if (event.kind === 'busy' && !event.busy) isWaiting = true;
    else if (event.kind === 'tool_call' || event.kind === 'tool_result') isWaiting = false;
    if (event.kind !== 'hook') return;
    const { message } = event;
    const ruling = ruled(onMessage, message, NEVER_GONE);
    if (message.kind !== 'ready') {
      void ruling.then((ruled) => channel.send(answer(message, ruled)));
      return;
    }
    channel.send(wrap(readFileBytes(request.promptFile).toString('utf8')));
    onOpen?.((text) => {
      isWaiting = true;
      return channel.send(wrap(text));
    });
  };
  return {
    onEvent: (event) => {
      onEvent(event);
      return true;
    },
  };
}
