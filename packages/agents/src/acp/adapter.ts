import type { BuiltInAgent } from '../built-in.ts';
import type { AcpHook, PermissionOption } from '../hook.ts';
import { numberKey } from '../hooks/hook-forms.ts';
import type { AgentAdapter, AgentPlan, AgentRequest } from '../protocol.ts';
import { ACP_PROGRAMS, unaskedOf } from './programs.ts';
import { openAcpReader } from './updates.ts';

/**
 * Seconds that a question may wait for you. The protocol has no limit, and programs with one weren't seen to wait so
 * long.
 */
const WAITS_SECONDS = 570;

/**
 * Returns the adapter of a program that speaks the Agent Client Protocol; `null` when no program of this name is known
 * to. @param own Plan of your own command; `null` for a built-in agent. @param builtIn The built-in agent to use this
 * way; `null`: another program.
 */
export function acpAdapter(
  name: string,
  own: ((request: AgentRequest) => AgentPlan) | null,
  builtIn: BuiltInAgent | null,
): AgentAdapter | null {
  const program = own === null ? (ACP_PROGRAMS.get(name) ?? null) : null;
  if (own === null && program === null) return null;
  const place = own === null ? (builtIn ?? program?.place) : undefined;
  return {
    ...(place === undefined
      ? { home: null, inherits: { which: 'all', additional: [] } as const }
      : {
          home: place.home,
          inherits: place.inherits,
          toolSessions: builtIn?.toolSessions,
          notes: builtIn?.notes ?? program?.place?.notes,
        }),
    name,
    model: null,
    cumulativeUsage: false,
    output: 'acp',
    parse: (line) => openAcpReader()(line),
    open: () => openAcpReader({ asksFirst: program !== null, failure: program?.failure ?? null }),
    plan: (request) => {
      const plan = own === null ? builtInPlan(name, request, builtIn) : own(request);
      return { ...plan, stdin: 'channel', resume: request.resume };
    },
    usage: { tokens: 'end', cost: null },
    hook: { ...HOOK, measured: program !== null, unasked: unaskedOf(program) },
  };
}

function builtInPlan(name: string, request: AgentRequest, builtIn: BuiltInAgent | null): AgentPlan {
  const { args = [], env = {}, modelFlag = null, modelVariable } = ACP_PROGRAMS.get(name) ?? {};
  const { model, extraArgs } = request;
  const { defaults } = builtIn?.plan({ ...request, hook: null }) ?? {};
  return {
    argv: [name, ...args, ...(model === null || modelFlag === null ? [] : [modelFlag, model]), ...extraArgs],
    env: {
      ...env,
      ...(model === null || modelVariable === undefined ? {} : { [modelVariable]: model }),
      ...request.env,
    },
    ...(defaults === undefined ? {} : { defaults }),
    stdin: 'channel',
  };
}

const HOOK = {
  transport: 'ACP',
  can: { warn: false, modify: false },
  waitsSeconds: WAITS_SECONDS,
  unseenInput: false,
  key: numberKey,
  // An answer for later actions, too, would end the questions.
  outcome: ({ decision }, options) => {
    const kind = decision === 'deny' ? 'reject_once' : 'allow_once';
    const option = options.find((one: PermissionOption) => one.kind === kind);
    return option === undefined
      ? { outcome: 'cancelled' }
      : { outcome: 'selected', optionId: option.optionId };
  },
} as const satisfies Omit<AcpHook, 'measured' | 'unasked'>;
