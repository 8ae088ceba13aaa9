import type { AgentAdapter, ChannelHook, ReportedUsage, SocketHook } from '../domain/agent.ts';
import type { AgentHome } from '../domain/box/box.ts';
import type { Action } from '../lib/actions/action.ts';
import type { AgentName } from '../lib/agents.ts';
import type { ToolCall } from './action.ts';

/** An agent that ralph knows: its adapter, and what `ralph doctor --agents` says of it. */
export type BuiltInAgent = AgentAdapter & {
  readonly name: AgentName;
  readonly hook: SocketHook | ChannelHook;
  readonly home: AgentHome;
  /** What a call of one of its tools does. */
  readonly action: (call: ToolCall) => Action;
  /** Whether it continues a session, also one whose attempt was ended. */
  readonly resumes: boolean;
  readonly usage: ReportedUsage;
  /** Hosts of its models and of its sign-in; of one that has many providers, those of the usual ones. */
  readonly hosts: readonly string[];
  /** Signs of a login: names of variables, and files below the home folder. Neither is read. */
  readonly login: { readonly variables: readonly string[]; readonly files: readonly string[] };
  /** Variable that has to be 1 before it runs as root; `null`: it runs as root. */
  readonly rootNeeds: string | null;
};

/** Variables of the providers of models, for agents that reach many. */
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
