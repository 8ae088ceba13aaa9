type AgentFacts = {
  readonly install: string;
  /** Output format for `[runners.NAME] output`. */
  readonly output: string;
  /** Minimum context window of the usual model, in tokens. */
  readonly contextWindow: number;
  /** Places of settings, hooks and rules, which must not change during a run. */
  readonly settings: SettingsPlaces;
};

type SettingsPlaces = {
  /** Folders at any depth of the repository and in the home folder; one or two path parts. */
  readonly folders: readonly string[];
  /** Files at the top of the repository. */
  readonly files: readonly string[];
  /** Additional folders below the home folder. */
  readonly home: readonly string[];
};

/** Built-in agents in the order tried by `agent = "auto"`. Their adapters are in `packages/agents`. */
export const AGENTS = {
  claude: {
    install: 'npm i -g @anthropic-ai/claude-code',
    output: 'claude-stream',
    contextWindow: 200_000,
    settings: { folders: ['.claude'], files: [], home: [] },
  },
  codex: {
    install: 'npm i -g @openai/codex',
    output: 'codex-jsonl',
    contextWindow: 200_000,
    settings: { folders: ['.codex'], files: [], home: [] },
  },
  copilot: {
    install: 'npm i -g @github/copilot',
    output: 'copilot-jsonl',
    contextWindow: 128_000,
    settings: {
      folders: ['.copilot', '.github/copilot', '.github/hooks'],
      files: [],
      home: ['.config/github-copilot'],
    },
  },
  gemini: {
    install: 'npm i -g @google/gemini-cli',
    output: 'gemini-stream',
    contextWindow: 1_000_000,
    settings: { folders: ['.gemini'], files: [], home: [] },
  },
  opencode: {
    install: 'npm i -g opencode-ai',
    output: 'opencode-json',
    contextWindow: 128_000,
    settings: {
      folders: ['.opencode'],
      files: ['opencode.json', 'opencode.jsonc'],
      home: ['.config/opencode'],
    },
  },
  qwen: {
    install: 'npm i -g @qwen-code/qwen-code',
    output: 'qwen-stream',
    contextWindow: 128_000,
    settings: { folders: ['.qwen'], files: [], home: [] },
  },
  pi: {
    install: 'npm i -g @earendil-works/pi-coding-agent',
    output: 'pi-json',
    contextWindow: 128_000,
    settings: { folders: ['.pi'], files: [], home: [] },
  },
  droid: {
    install: 'npm i -g droid',
    output: 'droid-stream',
    contextWindow: 128_000,
    settings: { folders: ['.factory'], files: [], home: [] },
  },
} as const satisfies Readonly<Record<string, AgentFacts>>;

export type AgentName = keyof typeof AGENTS;
export const BUILT_IN_AGENTS = Object.keys(AGENTS) as readonly AgentName[];

/** Programs that `[runners.NAME] protocol = "acp"` starts without an `argv`. */
export const OVER_ACP_ALONE: readonly string[] = ['goose'];

const USUAL_WINDOW = 128_000;

/** Returns an agent's context window in tokens when `[runners.NAME] context_window` isn't set. */
export function usualWindow(agent: string): number {
  const known = BUILT_IN_AGENTS.find((name) => name === agent);
  return known === undefined ? USUAL_WINDOW : AGENTS[known].contextWindow;
}

type BuiltInOutput = (typeof AGENTS)[AgentName]['output'];
/** `text`: only the agent's own words; `json:PATH`: words at a path; `acp`: Agent Client Protocol. */
export type AgentOutput = 'text' | 'acp' | `json:${string}` | BuiltInOutput;

/** Whether an output has the agent's words but none of its actions. */
export function isWordsAlone(output: string): boolean {
  return output === 'text' || output.startsWith('json:');
}

/** Values of `[runners.NAME] output`. */
export const AGENT_OUTPUTS: readonly ['text', ...BuiltInOutput[]] = [
  'text',
  ...BUILT_IN_AGENTS.map((name) => AGENTS[name].output),
];

/** Agents that ralph doesn't run but that you or other agents use, and a file that several read. */
const OTHERS: readonly SettingsPlaces[] = [
  { folders: ['.cursor'], files: [], home: [] },
  { folders: ['.amp'], files: ['.mcp.json'], home: ['.config/amp'] },
];

const PLACES: readonly SettingsPlaces[] = [
  ...Object.values(AGENTS).map(({ settings }) => settings),
  ...OTHERS,
];

export const AGENT_SETTINGS: SettingsPlaces = {
  folders: PLACES.flatMap(({ folders }) => folders),
  files: PLACES.flatMap(({ files }) => files),
  home: PLACES.flatMap(({ home }) => home),
};

/** Programs that change agents' settings: `claude mcp add`. */
export const AGENT_PROGRAMS: readonly string[] = [...BUILT_IN_AGENTS, 'cursor-agent', 'amp'];
