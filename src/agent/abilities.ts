import type { BUILT_IN_AGENTS } from '../domain/agent.ts';

type BuiltIn = (typeof BUILT_IN_AGENTS)[number];

/** What is known of an agent beside what its adapter does. */
type AgentAbilities = {
  /** Whether its gate takes another action in place of the one asked for; ralph makes no use of that yet. */
  readonly modify: boolean;
  readonly usage: 'tokens and cost' | 'tokens' | 'none';
  /** What speaks for a login: names of variables, and files below the home folder. Neither is read. */
  readonly login: { readonly variables: readonly string[]; readonly files: readonly string[] };
};

/** For `ralph doctor --agents`. All of them go on with a session (`[loop] resume`). */
export const AGENT_ABILITIES: Readonly<Record<BuiltIn, AgentAbilities>> = {
  claude: {
    modify: true,
    usage: 'tokens and cost',
    login: {
      variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      files: ['.claude/.credentials.json'],
    },
  },
  codex: {
    modify: true,
    usage: 'tokens',
    login: { variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], files: ['.codex/auth.json'] },
  },
  copilot: {
    modify: true,
    usage: 'none',
    login: {
      variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
      files: ['.copilot/config.json'],
    },
  },
  gemini: {
    modify: true,
    usage: 'tokens',
    login: {
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      files: ['.gemini/oauth_creds.json'],
    },
  },
  opencode: {
    modify: true,
    usage: 'tokens and cost',
    login: {
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
      files: ['.local/share/opencode/auth.json'],
    },
  },
  qwen: {
    modify: true,
    usage: 'tokens',
    login: {
      variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
      files: ['.qwen/oauth_creds.json'],
    },
  },
  pi: {
    modify: false,
    usage: 'tokens and cost',
    login: {
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
      files: ['.pi/agent/auth.json', '.pi/agent/models.json'],
    },
  },
};
