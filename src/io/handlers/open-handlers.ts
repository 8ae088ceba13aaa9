import { redact, secretsFromEnv } from 'ralph-kit/redact';
import { shortened, stripControl } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { HandlerAnswer, HandlerFinding } from '../../domain/intervention.ts';
import type { HandlerCall, HandlerDetection, Handlers } from '../../domain/ports.ts';
import type { ModuleHost } from '../modules/index.ts';

/** Milliseconds that one call of a module may take (docs/HANDLERS.md). */
const TIMEOUT_MS = 5000;
/** Number of characters kept of a failure. */
const LONGEST_FAILURE = 400;

export type HandlersOptions = {
  /** Module path by issue (`[interventions.handlers]`), relative to the repository. */
  readonly handlers: Readonly<Record<string, string>>;
  /** Module of the strategy `custom`; empty: none. */
  readonly strategyModule: string;
  readonly host: Pick<ModuleHost, 'ask'>;
  /** Values of variables with secret names are hidden in failures. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
};

type Outcome<T> = { readonly value: T | null; readonly failure: string | null };

type Ask = <T>(name: string, input: unknown, form: z.core.$ZodType<T>) => Promise<Outcome<T>>;

export const NO_HANDLERS: Handlers = {
  issues: [],
  strategy: false,
  detect: async () => [],
  intervene: async () => ({ answer: null, failure: null }),
};

/** Opens the user's modules; whatever goes wrong in one is returned as a failure. */
export function openHandlers(options: HandlersOptions): Handlers {
  const { handlers, strategyModule } = options;
  const modules = new Map(
    Object.entries(handlers).map(([issue, path]) => [issue, asking(path, options)] as const),
  );
  const strategy = strategyModule === '' ? null : asking(strategyModule, options);
  return {
    issues: [...modules.keys()],
    strategy: strategy !== null,
    detect: (attempt) =>
      Promise.all(
        [...modules].map(async ([issue, ask]): Promise<HandlerDetection> => {
          const { value, failure } = await ask('detect', attempt, HandlerFinding);
          return { issue, finding: value, failure };
        }),
      ),
    intervene: async (which, question): Promise<HandlerCall> => {
      const ask = which === 'strategy' ? strategy : modules.get(which.issue);
      if (ask === null || ask === undefined) return { answer: null, failure: null };
      const { value, failure } = await ask('intervene', question, HandlerAnswer);
      return { answer: value, failure };
    },
  };
}

function asking(path: string, { host, env, timeoutMs = TIMEOUT_MS }: HandlersOptions): Ask {
  const failure = (why: string, line: number | null = null) => {
    const place = line === null ? path : `${path}:${line}`;
    const text = redact(stripControl(`${place} ${why}`).replace(/\s+/g, ' '), secretsFromEnv(env));
    return { value: null, failure: shortened(text, LONGEST_FAILURE) };
  };
  return async (name, input, form) => {
    const reply = await host.ask(path, { kind: 'function', name }, input, { wallMs: timeoutMs });
    if (reply.kind === 'failed') return failure(reply.why, reply.line);
    if (reply.value === undefined || reply.value === null) return { value: null, failure: null };
    const read = z.safeParse(form, reply.value);
    if (read.success) return { value: read.data, failure: null };
    return failure(`gave from ${name}() what cannot be used: ${problemOf(read.error)}`);
  };
}

function problemOf(error: z.core.$ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
