import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { tryOr } from 'ralph-kit/try-or';
import type { Clock } from '../../domain/ports.ts';
import { type Box, boxFolderOf, boxOf } from '../box/index.ts';
import { withoutOwnVariables } from '../proc/run-gate.ts';
import { launch } from '../programs/launch/launch.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { ownerMark } from '../programs/table/tracked-tree.ts';
import { HOST_SOURCE } from './host-source.ts';
import { keepModules, openPipes } from './pipes.ts';
import type { Modules } from './read-modules.ts';

/** A function by name, the list of rules, or a rule by its index. */
export type Call =
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'rules' }
  | { readonly kind: 'judge'; readonly index: number };

export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The value isn't JSON or exceeds 1 MB. */
  | { readonly kind: 'unfit' }
  /** `why` completes a sentence that begins with the module's name. */
  | { readonly kind: 'failed'; readonly why: string; readonly line: number | null };

/** Process of all modules of a run, in a box if possible. Every failure is a reply. */
export type ModuleHost = {
  /** Starts the process when needed. Never throws. */
  readonly ask: (module: string, call: Call, input: unknown, limitMs: number) => Promise<Reply>;
  /** Synchronous `ask` for a module that was asked before. Never throws. */
  readonly askNow: (module: string, call: Call, input: unknown, limitMs: number) => Reply;
  /** Resolves when the process and everything of it has ended. */
  readonly close: () => Promise<void>;
};

export type HostOptions = {
  readonly modules: Modules;
  /** Called when the process starts; `null` without a box. */
  readonly box: () => Box | null;
  readonly root: string;
  readonly stateHome: string;
  readonly clock: Clock;
  readonly env: Environment;
};

/** Interval of checks for an answer, in milliseconds; most answers take less than one. */
const POLL_MS = 1;
/** Never changes, so waiting on it always takes the full time. */
const nothing = new Int32Array(new SharedArrayBuffer(4));
const GONE = 'was lost: the process that it ran in ended';

type Host = {
  readonly send: (message: object) => void;
  /** Reads answers; returns false when the process is gone. */
  readonly pump: () => boolean;
  readonly end: () => Promise<void>;
  readonly files: string;
};

type Waiting = { readonly module: string; readonly resolve: (reply: Reply) => void };

/** Loads modules from a copy in ralph's state home, so that later changes in the repository don't matter. */
export function openModuleHost(options: HostOptions): ModuleHost {
  const { modules, clock } = options;
  const waiting = new Map<number, Waiting>();
  let starting: Promise<Host | string> | null = null;
  let host: Host | null = null;
  let closed = false;
  let lastId = 0;
  let isPolling = false;

  const hear = (line: string) => {
    const message = parsed(line);
    if (message === null) return;
    waiting.get(message.id)?.resolve(replyOf(message, host?.files ?? ''));
    waiting.delete(message.id);
  };

  function lose(): void {
    for (const { resolve } of waiting.values()) resolve(failed(GONE));
    waiting.clear();
    void host?.end();
    host = null;
    starting = null;
  }

  async function running(): Promise<Host | string> {
    starting ??= startHost(options, hear);
    const started = await starting;
    if (typeof started === 'string') starting = null;
    else if (closed) await started.end();
    else host = started;
    return started;
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) {
      if (host?.pump() !== true) lose();
      else await sleep(POLL_MS);
    }
    isPolling = false;
  }

  /** All calls waiting for a module that took too long get the same reply. */
  function endThread(to: Host, module: string, reply: Reply): void {
    for (const [id, one] of waiting) {
      if (one.module !== module) continue;
      waiting.delete(id);
      one.resolve(reply);
    }
    to.send({ end: urlOf(module, to) });
  }

  function put(to: Host, module: string, call: Call, input: unknown, resolve: (reply: Reply) => void): void {
    lastId += 1;
    waiting.set(lastId, { module, resolve });
    to.send({ id: lastId, module: urlOf(module, to), call, input });
  }

  const urlOf = (module: string, { files }: Host) => {
    const path = join(files, modules.paths.get(module) ?? module);
    return pathToFileURL(tryOr(path, () => realpathSync(path))).href;
  };

  return {
    ask: async (module, call, input, limitMs) => {
      const problem = unasked(input);
      if (closed) return failed('was called after its end');
      if (problem !== null) return problem;
      const to = await running();
      if (typeof to === 'string') return failed(`could not be started: ${to}`);
      if (closed) return failed('was called after its end');
      const answered = new AbortController();
      void clock.sleep(limitMs, answered.signal).then(() => {
        if (!answered.signal.aborted) endThread(to, module, late(call, limitMs));
      });
      return new Promise<Reply>((resolve) => {
        put(to, module, call, input, resolve);
        void poll();
      }).finally(() => answered.abort());
    },
    askNow: (module, call, input, limitMs) => {
      if (host === null) {
        if (!closed) void running();
        return failed(closed ? 'was called after its end' : GONE);
      }
      const to = host;
      let reply: Reply | null = null;
      const resolve = (one: Reply) => {
        reply = one;
      };
      put(to, module, call, input, resolve);
      const end = clock.monotonicMs() + limitMs;
      const given = (): Reply | null => reply;
      while (given() === null) {
        if (!to.pump()) lose();
        else if (clock.monotonicMs() > end) endThread(to, module, late(call, limitMs));
        else if (given() === null) Atomics.wait(nothing, 0, 0, POLL_MS);
      }
      return given() ?? failed(GONE);
    },
    close: async () => {
      closed = true;
      for (const { resolve } of waiting.values()) resolve(failed('was ended'));
      waiting.clear();
      const ended = host?.end();
      host = null;
      await ended;
    },
  };
}

function unasked(input: unknown): Reply | null {
  try {
    JSON.stringify(input);
    return null;
  } catch (error) {
    return failed(`could not be asked: ${String(error)}`);
  }
}

async function startHost(options: HostOptions, hear: (line: string) => void): Promise<Host | string> {
  const { modules, root, stateHome, clock, env } = options;
  let folder: string | null = null;
  try {
    const base = boxFolderOf(stateHome);
    const data = join(stateHome, 'module-data');
    for (const one of [base, data]) mkdirSync(one, { recursive: true, mode: 0o700 });
    // Removed with leftovers of boxes when ralph is killed.
    const own = mkdtempSync(join(base, `${process.pid}-`));
    folder = own;
    const files = join(own, 'files');
    keepModules(modules, files);
    const pipes = openPipes(own);
    const variables = { ...withoutOwnVariables(env), RALPH_MODULE_DATA: data };
    const role = {
      role: 'module',
      cwd: root,
      env: variables,
      visible: [own],
      home: null,
      agent: '',
    } as const;
    // You approved these modules, and their keys are passed in variables.
    const inherits = { which: 'all', and: ['RALPH_MODULE_DATA'] } as const;
    const box = boxOf(options.box(), { ...role, writable: [data], inherits });
    const remove = () => {
      pipes.close();
      box.close();
      rmSync(own, { recursive: true, force: true });
    };
    const { input, output } = pipes;
    const redirected = 'exec "$@" 8<&0 9>&1 </dev/null >/dev/null 2>&1';
    const launched = await launch(
      {
        argv: ['/bin/sh', '-c', redirected, 'sh', process.execPath, '-e', HOST_SOURCE],
        cwd: root,
        env: variables,
        stdin: input,
        stdout: output,
        stderr: output,
        box: box.open,
      },
      { clock, supervision: 'auto', owner: ownerMark(root) },
    );
    pipes.handedOver();
    if (launched.kind === 'failed') {
      remove();
      return launched.message;
    }
    const { running } = launched;
    const over = running.treeEnd.then(remove);
    return {
      files,
      send: (message) => pipes.send(JSON.stringify(message)),
      pump: () => pipes.pump(hear),
      end: () => {
        pipes.close();
        running.kill();
        return over;
      },
    };
  } catch (error) {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return error instanceof Error ? error.message : String(error);
  }
}

type Message = {
  readonly id: number;
  readonly value?: unknown;
  readonly unfit?: boolean;
  readonly gone?: string;
  readonly error?: { readonly text: string; readonly line: number | null };
};

/** A box that can't be made prints an error that isn't JSON. */
function parsed(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null && 'id' in message ? (message as Message) : null;
  } catch {
    return null;
  }
}

/** Your own paths replace those of the copy (`files`). */
function replyOf({ value, unfit, gone, error }: Message, files: string): Reply {
  const shown = (text: string) => String(text).replaceAll(files, '');
  if (unfit === true) return { kind: 'unfit' };
  if (gone !== undefined) return failed(shown(gone));
  if (error !== undefined) return failed(`failed with ${shown(error.text)}`, error.line);
  return { kind: 'value', value };
}

function failed(why: string, line: number | null = null): Reply {
  return { kind: 'failed', why, line };
}

function late(call: Call, limitMs: number): Reply {
  const name = call.kind === 'function' ? call.name : call.kind === 'judge' ? 'judge' : 'load';
  return failed(`gave no answer to ${name}() within ${limitMs / 1000} s and was ended`);
}
