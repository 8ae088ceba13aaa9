type AgentFacts = {
  /** The name of its output format for `[runners.NAME] output`. */
  readonly output: string;
  /** Tokens that its usual model can read at once, at least. */
  readonly contextWindow: number;
  /** Where it keeps settings, hooks and rules: nothing there is changed during a run. */
  readonly settings: SettingsPlaces;
};

type SettingsPlaces = {
  /** Folders at any depth of the repository, and in the home folder; one or two parts. */
  readonly folders: readonly string[];
  /** Files at the top of the repository. */
  readonly files: readonly string[];
  /** Further folders below the home folder. */
  readonly home: readonly string[];
};

/** The built-in agents, in the order in which `agent = "auto"` looks for them. Their adapters: `agent/registry.ts`. */
export const AGENTS = {
  claude: {
    output: 'claude-stream',
    contextWindow: 200_000,
    settings: { folders: ['.claude'], files: [], home: [] },
  },
  codex: {
    output: 'codex-jsonl',
    contextWindow: 200_000,
    settings: { folders: ['.codex'], files: [], home: [] },
  },
  copilot: {
    output: 'copilot-jsonl',
    contextWindow: 128_000,
    settings: {
      folders: ['.copilot', '.github/copilot', '.github/hooks'],
      files: [],
      home: ['.config/github-copilot'],
    },
  },
  gemini: {
    output: 'gemini-stream',
    contextWindow: 1_000_000,
    settings: { folders: ['.gemini'], files: [], home: [] },
  },
  opencode: {
    output: 'opencode-json',
    contextWindow: 128_000,
    settings: {
      folders: ['.opencode'],
      files: ['opencode.json', 'opencode.jsonc'],
      home: ['.config/opencode'],
    },
  },
  qwen: {
    output: 'qwen-stream',
    contextWindow: 128_000,
    settings: { folders: ['.qwen'], files: [], home: [] },
  },
  pi: { output: 'pi-json', contextWindow: 128_000, settings: { folders: ['.pi'], files: [], home: [] } },
  droid: {
    output: 'droid-stream',
    contextWindow: 128_000,
    settings: { folders: ['.factory'], files: [], home: [] },
  },
} as const satisfies Readonly<Record<string, AgentFacts>>;

export type AgentName = keyof typeof AGENTS;
export const BUILT_IN_AGENTS = Object.keys(AGENTS) as readonly AgentName[];

/** Programs that are started without an `argv` of yours, too, by `[runners.NAME] protocol = "acp"` (`agent/acp/programs.ts`). */
export const OVER_ACP_ALONE: readonly string[] = ['goose'];

/** Of an agent that ralph doesn't know. */
const USUAL_WINDOW = 128_000;

/** Tokens that an agent can read at once, where `[runners.NAME] context_window` doesn't say. */
export function usualWindow(agent: string): number {
  const known = BUILT_IN_AGENTS.find((name) => name === agent);
  return known === undefined ? USUAL_WINDOW : AGENTS[known].contextWindow;
}

type BuiltInOutput = (typeof AGENTS)[AgentName]['output'];
/**
 * How standard output is read; `text`: all of it is the agent's own words; `json:PATH`: its words are what JSON has at a path; `acp`: messages
 * of the Agent Client Protocol.
 */
export type AgentOutput = 'text' | 'acp' | `json:${string}` | BuiltInOutput;

/** Whether an output has the agent's words and nothing of what it does. */
export function isWordsAlone(output: string): boolean {
  return output === 'text' || output.startsWith('json:');
}

/** Those that `[runners.NAME] output` can name. */
export const AGENT_OUTPUTS: readonly ['text', ...BuiltInOutput[]] = [
  'text',
  ...BUILT_IN_AGENTS.map((name) => AGENTS[name].output),
];

/** Agents that ralph doesn't run, whose settings other agents and you use, and a file that several read. */
const OTHERS: readonly SettingsPlaces[] = [
  { folders: ['.cursor'], files: [], home: [] },
  { folders: ['.amp'], files: ['.mcp.json'], home: ['.config/amp'] },
];

const PLACES: readonly SettingsPlaces[] = [
  ...Object.values(AGENTS).map(({ settings }) => settings),
  ...OTHERS,
];

/** Where agents keep their settings, of all of them together. */
export const AGENT_SETTINGS: SettingsPlaces = {
  folders: PLACES.flatMap(({ folders }) => folders),
  files: PLACES.flatMap(({ files }) => files),
  home: PLACES.flatMap(({ home }) => home),
};

/** Programs that change the settings of an agent: `claude mcp add`. */
export const AGENT_PROGRAMS: readonly string[] = [...BUILT_IN_AGENTS, 'cursor-agent', 'amp'];
