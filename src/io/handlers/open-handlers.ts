import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { HandlerAnswer, HandlerFinding } from '../../domain/handler.ts';
import type { Clock, HandlerCall, HandlerDetection, Handlers } from '../../domain/ports.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import { shortened, stripControl } from '../../lib/text.ts';
import { sha256 } from '../ids.ts';
import { readFileBytes } from '../store/files/plain-file.ts';
import { type HandlerModule, handlerModule } from './handler-module.ts';

/** How long one call of a module may take (spec 3-interventions, The controller). */
const TIMEOUT_MS = 5000;
/** Characters of an answer as JSON. */
const LONGEST_ANSWER = 1_000_000;
/** Characters of a failure. */
const LONGEST_FAILURE = 400;

export type HandlersOptions = {
  /** Module by issue (`[interventions.handlers]`), relative to the repository. */
  readonly handlers: Readonly<Record<string, string>>;
  /** Module of the strategy `custom`; empty: none. */
  readonly strategyModule: string;
  /** The repository. */
  readonly root: string;
  readonly clock: Clock;
  /** Values of secret-named variables are hidden in failures. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
};

export type OpenHandlers = Handlers & {
  /** Ends their threads. */
  readonly close: () => void;
};

type Outcome<T> = { readonly value: T | null; readonly failure: string | null };

type Module = Pick<HandlerModule, 'close'> & {
  readonly ask: <T>(name: string, input: unknown, form: z.core.$ZodType<T>) => Promise<Outcome<T>>;
};

/** The user's modules, each in a thread of its own. Whatever one of them does, it comes back as a failure. */
export function openHandlers(options: HandlersOptions): OpenHandlers {
  const { handlers, strategyModule } = options;
  const modules = new Map(
    Object.entries(handlers).map(([issue, path]) => [issue, openModule(path, options)] as const),
  );
  const strategy = strategyModule === '' ? null : openModule(strategyModule, options);
  return {
    issues: [...modules.keys()],
    strategy: strategy !== null,
    detect: (attempt) =>
      Promise.all(
        [...modules].map(async ([issue, module]): Promise<HandlerDetection> => {
          const { value, failure } = await module.ask('detect', attempt, HandlerFinding);
          return { issue, found: value, failure };
        }),
      ),
    intervene: async (which, question): Promise<HandlerCall> => {
      const module = which === 'strategy' ? strategy : modules.get(which.issue);
      if (module === null || module === undefined) return { answer: null, failure: null };
      const { value, failure } = await module.ask('intervene', question, HandlerAnswer);
      return { answer: value, failure };
    },
    close: () => {
      for (const module of [...modules.values(), strategy]) module?.close();
    },
  };
}

/** Of a module's file; an agent may have written into it. `null` where it cannot be read. */
function hashOf(path: string): string | null {
  try {
    return sha256(readFileBytes(path));
  } catch {
    return null;
  }
}

function openModule(path: string, { root, clock, env, timeoutMs = TIMEOUT_MS }: HandlersOptions): Module {
  const absolute = resolve(root, path);
  const module = handlerModule(absolute, clock, timeoutMs);
  const pinned = hashOf(absolute);
  const failure = (why: string, line: number | null = null) => {
    const place = line === null ? path : `${path}:${line}`;
    const text = redact(stripControl(`${place} ${why}`).replace(/\s+/g, ' '), secretsFromEnv(env));
    return { value: null, failure: shortened(text, LONGEST_FAILURE) };
  };
  return {
    ask: async (name, input, form) => {
      const now = hashOf(absolute);
      if (now === null) return failure('does not exist or cannot be read');
      if (now !== pinned) return failure('was changed since the run began, and is not run');
      const reply = await module.call(name, input);
      if (reply.kind === 'failed') return failure(reply.why, reply.line);
      if (reply.value === undefined || reply.value === null) return { value: null, failure: null };
      const plain = asPlainJson(reply.value);
      if (plain === null) return failure(`gave from ${name}() what JSON cannot hold, or more than 1 MB`);
      const read = z.safeParse(form, plain.value);
      if (read.success) return { value: read.data, failure: null };
      return failure(`gave from ${name}() what cannot be used: ${problemOf(read.error)}`);
    },
    close: module.close,
  };
}

/** It goes into the journal, so it has to be what JSON holds; `null` where it is not. */
function asPlainJson(value: unknown): { readonly value: unknown } | null {
  try {
    const text = JSON.stringify(value);
    return text.length > LONGEST_ANSWER ? null : { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function problemOf(error: z.core.$ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
