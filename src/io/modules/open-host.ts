import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Box, boxFolderOf, boxOf } from 'ralph-box';
import { launch } from 'ralph-box/launch/launch';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { ownerMark } from 'ralph-kit/programs/table/tracked-tree';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import type { Clock } from '../../domain/ports.ts';
import { withoutOwnVariables } from '../proc/run-gate.ts';
import { type Channel, keepModules, openChannel } from './channel.ts';
import { HOST_SOURCE } from './host-source.ts';
import type { Modules } from './read-modules.ts';

/** A function by name, the list of rules, or what rules with these indexes say. */
export type Call =
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'rules' }
  | { readonly kind: 'judge'; readonly indexes: readonly number[] };

export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  /**
   * `why` completes a sentence that begins with the module's name. `at`: position in `indexes` of the rule that was
   * judging; `null`: unknown.
   */
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly line: number | null;
      readonly at: number | null;
    };

/** What a call may take. Processor time isn't used up by a machine that is busy with something else. */
export type CallLimits = { readonly wallMs: number; readonly processorMs?: number };

/** The process of all modules of a run, in a box if possible. Every failure is a reply. */
export type ModuleHost = {
  /** Starts the process when needed. Never rejects. */
  readonly ask: (module: string, call: Call, input: unknown, limits: CallLimits) => Promise<Reply>;
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

/** The process itself ends late calls. After this many milliseconds more, it doesn't run any more. */
const GRACE_MS = 3_000;
const GONE = 'was lost: the process that it ran in ended';
const CLOSED = 'was called after its end';

type Host = {
  readonly ask: (module: string, call: Call, input: string, limits: CallLimits) => Promise<Reply>;
  /** Ends the process. Calls without an answer have failed. */
  readonly end: (why: string) => Promise<void>;
};

/** Loads modules from a copy in ralph's state home, so that later changes in the repository don't matter. */
export function openModuleHost(options: HostOptions): ModuleHost {
  let host: Promise<Host | string> | null = null;
  let isClosed = false;
  const lost = () => {
    host = null;
  };
  const started = () =>
    startHost(options, lost).catch((error) => {
      lost();
      return error instanceof Error ? error.message : String(error);
    });

  return {
    ask: async (module, call, input, limits) => {
      const text = jsonOf(input);
      if (typeof text !== 'string') return text;
      if (isClosed) return failed(CLOSED);
      host ??= started();
      const to = await host;
      if (typeof to === 'string') return failed(`could not be started: ${to}`);
      return to.ask(module, call, text, limits);
    },
    close: async () => {
      isClosed = true;
      const to = await host;
      if (to !== null && typeof to !== 'string') await to.end(CLOSED);
    },
  };
}

function jsonOf(input: unknown): string | Reply {
  try {
    return JSON.stringify(input) ?? 'null';
  } catch (error) {
    return failed(`could not be asked: ${String(error)}`);
  }
}

/** @param onLost Called when the process has ended. @throws When it can't be started. */
async function startHost(options: HostOptions, onLost: () => void): Promise<Host> {
  const { modules, root, stateHome, clock, env } = options;
  const base = boxFolderOf(stateHome);
  const data = join(stateHome, 'module-data');
  for (const one of [base, data]) mkdirSync(one, { recursive: true, mode: 0o700 });
  // Removed with leftovers of boxes when ralph is killed.
  const own = mkdtempSync(join(base, `${process.pid}-`));
  const leftovers = [() => rmSync(own, { recursive: true, force: true })];
  const cleanUp = () => leftovers.forEach((remove) => void remove());
  try {
    const files = join(own, 'files');
    keepModules(modules, files);
    const channel = openChannel(own);
    leftovers.unshift(channel.close);
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
    const inherits = { which: 'all', additional: ['RALPH_MODULE_DATA'] } as const;
    const box = boxOf(options.box(), { ...role, writable: [data], inherits });
    leftovers.unshift(box.close);
    const redirected = 'exec "$@" 8<&0 9>&1 </dev/null >/dev/null 2>&1';
    const launched = await launch(
      {
        argv: ['/bin/sh', '-c', redirected, 'sh', process.execPath, '-e', HOST_SOURCE, files],
        cwd: root,
        env: variables,
        stdin: channel.input,
        stdout: channel.output,
        stderr: channel.output,
        box: box.open,
      },
      { clock, supervision: 'auto', owner: ownerMark(root) },
    );
    channel.handedOver();
    if (launched.kind === 'failed') throw new Error(launched.message);
    const { running } = launched;
    const over = running.treeEnd.then(cleanUp);
    const kill = () => {
      onLost();
      running.kill();
      return over;
    };
    const urlOf = (module: string) => {
      const path = join(files, modules.paths.get(module) ?? module);
      return pathToFileURL(tryOr(path, () => realpathSync(path))).href;
    };
    return hostOn(channel, clock, kill, urlOf);
  } catch (error) {
    cleanUp();
    throw error;
  }
}

function hostOn(
  channel: Channel,
  clock: Clock,
  kill: () => Promise<void>,
  urlOf: (module: string) => string,
): Host {
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  let lost: string | null = null;
  let over: Promise<void> | null = null;

  function end(why: string): Promise<void> {
    lost ??= why;
    for (const answer of waiting.values()) answer(failed(why));
    over ??= kill();
    return over;
  }

  channel.listen(
    (line) => {
      const message = parsed(line);
      if (message !== null) waiting.get(message.id)?.(replyOf(message));
    },
    () => void end(GONE),
  );
  return {
    end,
    ask: (module, call, input, limits) => {
      if (lost !== null) return Promise.resolve(failed(lost));
      lastId += 1;
      const id = lastId;
      const answered = new AbortController();
      void clock.sleep(limits.wallMs + GRACE_MS, answered.signal).then(() => {
        if (waiting.has(id)) void end(GONE);
      });
      const name = call.kind === 'function' ? call.name : call.kind === 'judge' ? 'judge' : 'load';
      channel.send(JSON.stringify({ id, module: urlOf(module), name, call, input, ...limits }));
      return new Promise<Reply>((resolve) => {
        waiting.set(id, (reply) => {
          waiting.delete(id);
          answered.abort();
          resolve(reply);
        });
      });
    },
  };
}

/** An answer of the process. Modules can write to the channel, too, so it may be anything. */
const Message = z.object({
  id: z.number(),
  value: z.optional(z.unknown()),
  why: z.optional(z.string()),
  line: z.optional(z.nullable(z.number())),
  at: z.optional(z.number()),
});
type Message = z.infer<typeof Message>;

/** A box that can't be made prints an error that isn't JSON. */
function parsed(line: string): Message | null {
  return tryOr(null, () => Message.parse(JSON.parse(line)));
}

function replyOf({ value, why, line = null, at = -1 }: Message): Reply {
  if (why === undefined) return { kind: 'value', value };
  return { kind: 'failed', why, line, at: at === -1 ? null : at };
}

function failed(why: string): Reply {
  return { kind: 'failed', why, line: null, at: null };
}
