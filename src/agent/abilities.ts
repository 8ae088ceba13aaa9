import type { BUILT_IN_AGENTS } from '../domain/agent.ts';

type BuiltIn = (typeof BUILT_IN_AGENTS)[number];

/** What the adapter of today makes of an agent; what the agent itself could do may be more. */
type AgentAbilities = {
  /** How single actions can be stopped before they happen. */
  readonly gate: 'none';
  /** Whether an action can be changed before it happens. */
  readonly modify: boolean;
  /** Whether a message reaches the agent while it works. */
  readonly midStream: boolean;
  readonly usage: 'tokens and cost' | 'tokens' | 'none';
  /** Going on with a session: the adapter can, the loop does not ask for it yet. */
  readonly resume: 'adapter only' | 'yes' | 'no';
  /** What speaks for a login: names of variables, and files below the home folder. Neither is read. */
  readonly login: { readonly variables: readonly string[]; readonly files: readonly string[] };
};

/** For `ralph doctor --agents`. Hooks, which would make a gate, are not used by any adapter yet. */
export const AGENT_ABILITIES: Readonly<Record<BuiltIn, AgentAbilities>> = {
  claude: {
    ...{ gate: 'none', modify: false, midStream: false, usage: 'tokens and cost', resume: 'adapter only' },
    login: {
      variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      files: ['.claude/.credentials.json'],
    },
  },
  codex: {
    ...{ gate: 'none', modify: false, midStream: false, usage: 'tokens', resume: 'adapter only' },
    login: { variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], files: ['.codex/auth.json'] },
  },
  copilot: {
    ...{ gate: 'none', modify: false, midStream: false, usage: 'none', resume: 'adapter only' },
    login: {
      variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
      files: ['.copilot/config.json'],
    },
  },
  gemini: {
    ...{ gate: 'none', modify: false, midStream: false, usage: 'tokens', resume: 'adapter only' },
    login: {
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      files: ['.gemini/oauth_creds.json'],
    },
  },
  opencode: {
    ...{ gate: 'none', modify: false, midStream: false, usage: 'tokens and cost', resume: 'adapter only' },
    login: {
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
      files: ['.local/share/opencode/auth.json'],
    },
  },
};
