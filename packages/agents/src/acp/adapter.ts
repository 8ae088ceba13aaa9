import type { Inherits } from 'ralph-kit/agent-home';
import type { AcpHook, PermissionOption } from '../hook.ts';
import { numberKey } from '../hooks/hook-forms.ts';
import type { Agent, AgentAdapter, AgentPlan, AgentRequest } from '../protocol.ts';
import { programOf } from '../registry.ts';
import { unaskedOf } from './programs.ts';
import { openAcpReader } from './updates.ts';

/**
 * Seconds that a question may wait for you. The protocol has no limit, and programs with one weren't seen to wait so
 * long.
 */
const WAITS_SECONDS = 570;

const ALL: Inherits = { which: 'all', additional: [] };

/**
 * Returns the adapter of a program that speaks the Agent Client Protocol; `null` when no program of this name is known
 * to. @param own Plan of your own command; `null` for a built-in agent. @param builtIn The built-in agent to use this
 * way; `null`: another program.
 */
export function acpAdapter(
  name: string,
  own: ((request: AgentRequest) => AgentPlan) | null,
  builtIn: Agent | null,
): AgentAdapter | null {
  const known = programOf(name);
  const program = own === null ? (known.acp ?? null) : null;
  if (own === null && program === null) return null;
  // Nothing is known of your own command, whatever its name.
  const { home = null, inherits = ALL, notes } = own === null ? known : {};
  return {
    home,
    inherits,
    notes,
    toolSessions: own === null ? builtIn?.toolSessions : undefined,
    aside: known.aside,
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

function builtInPlan(name: string, request: AgentRequest, builtIn: Agent | null): AgentPlan {
  const { args = [], env = {}, modelFlag = null, modelVariable } = programOf(name).acp ?? {};
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
