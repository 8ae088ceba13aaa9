import type { Action } from 'ralph-kit/actions/action';
import type { AgentHome } from 'ralph-kit/agent-home';
import type { AgentName } from 'ralph-kit/agents';
import type { ToolCall } from './action.ts';
import type { ChannelHook, SocketHook } from './hook.ts';
import type { AgentAdapter, ReportedUsage } from './protocol.ts';

/** Adapter of a known agent, with the facts for `ralph doctor --agents`. */
export type BuiltInAgent = AgentAdapter & {
  readonly name: AgentName;
  readonly hook: SocketHook | ChannelHook;
  readonly home: AgentHome;
  readonly action: (call: ToolCall) => Action;
  /** Whether it can continue sessions, including those of stopped attempts. */
  readonly resumes: boolean;
  readonly usage: ReportedUsage;
  /** Hosts of models and sign-in; for agents with many providers, the usual ones. */
  readonly hosts: readonly string[];
  /** Signs of a login: variables and files below the home folder. Neither is read. */
  readonly login: { readonly variables: readonly string[]; readonly files: readonly string[] };
  /** Variable that must be 1 to run as root; `null`: none is needed. */
  readonly rootNeeds: string | null;
};

/** Variables of model providers, for agents that use many. */
export const OF_PROVIDERS = [
  'ANTHROPIC_*',
  'OPENAI_*',
  'GEMINI_*',
  'GOOGLE_*',
  'AWS_*',
  'AZURE_*',
  'OPENROUTER_*',
  'MISTRAL_*',
  'GROQ_*',
  'DEEPSEEK_*',
  'XAI_*',
] as const;
