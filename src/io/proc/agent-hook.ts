import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { type AgentEvent, type AgentPlan, type HookMessage, trackBusy } from '../../domain/agent.ts';
import type { AgentProcessRequest, Clock, HookRequest } from '../../domain/ports.ts';
import type { Ruling } from '../../lib/actions/review.ts';
import { readFileBytes } from '../files/plain-file.ts';
import { openHook, overlaySettings } from '../hook/index.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { makePipe } from '../programs/start/start-program.ts';

/** A program's standard input that stays open. */
export type Channel = {
  /** What the program reads; the caller closes it when the program has it. */
  readonly stdin: number;
  /** Writes one line, now or when the program has read what came before. False when its input is closed. */
  readonly send: (line: string) => boolean;
  /** The program finds the end of its input behind what was sent. */
  readonly end: () => void;
  readonly close: () => void;
};

/** What an agent needs before it starts: its plan, and the door by which its hook asks. */
export type Prepared = {
  readonly plan: AgentPlan;
  readonly channel: Channel | null;
  /** Folders that it has to see. */
  readonly folders: readonly string[];
  readonly close: () => void;
};

/** Seconds that an agent waits for its hook beyond the time that the attempt may take. */
const PATIENCE_BEYOND_SECONDS = 300;

/**
 * Opens the hook of an attempt.
 *
 * @param env what the agent starts from, without what its plan adds.
 * @throws The Node error when it cannot be made, SettingsError when your settings can't be added to.
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

/** A reviewer that breaks allows nothing. */
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

/**
 * A named pipe, so that every way of starting a program (`launch.ts`) opens it as it opens a file.
 *
 * @throws The Node error when there can be none in this folder.
 */
function openChannel(folder: string): Channel {
  const path = join(folder, 'input');
  makePipe(path);
  // Opened for both, so that opening never waits and the program finds no end before `end`.
  const writing = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let stdin: number;
  try {
    stdin = openSync(path, constants.O_RDONLY);
  } catch (error) {
    closeSync(writing);
    throw error;
  }
  const socket = new Socket({ fd: writing, readable: false, writable: true });
  // A program that is gone no longer reads: its end is noticed elsewhere.
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

/** Who asks in its stream is there until its attempt ends. */
const NEVER_GONE = new AbortController().signal;

/** How long an agent may take to begin with a message that came too late for the turn before. */
const NEXT_TURN_MS = 2000;

/** How an agent is spoken to on its channel. */
export type Talk = {
  /** One line of its standard output, before its events. */
  readonly onLine?: (line: string) => void;
  /** @returns whether the event counts as one of this attempt. */
  readonly onEvent: (event: AgentEvent) => boolean;
  /** Asks it to stop what it does; resolves when it has. */
  readonly cancel?: () => Promise<void>;
  /** It is gone, and all that it printed is read. */
  readonly over?: () => void;
};

/**
 * Speaks on a control channel: asks for the hook, gives the prompt, answers, and ends it with the result, unless a message
 * or the end of what works in the background makes another turn: without a channel that could ask for nothing.
 */
export function converse(channel: Channel, request: AgentProcessRequest, clock: Clock): Talk {
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
      if (!background.any()) void endUnlessTurn();
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
