/** Places of settings, hooks and rules of an agent, which must not change during a run. */
type SettingsPlaces = {
  /** Folders at any depth of the repository and in the home folder; one or two path parts. */
  readonly folders: readonly string[];
  /** Files at the top of the repository. */
  readonly files?: readonly string[];
  /** Additional folders below the home folder. */
  readonly home?: readonly string[];
};

/** `output`: the agent's format in `[runners.NAME] output`. */
type Known = SettingsPlaces & { readonly output: string };

/**
 * The agents in the order tried by `agent = "auto"`. `registry.ts` has their adapters; this list is apart, so that
 * settings are read without loading them.
 */
export const AGENTS = {
  claude: { output: 'claude-stream', folders: ['.claude'] },
  codex: { output: 'codex-jsonl', folders: ['.codex'] },
  copilot: {
    output: 'copilot-jsonl',
    folders: ['.copilot', '.github/copilot', '.github/hooks'],
    home: ['.config/github-copilot'],
  },
  gemini: { output: 'gemini-stream', folders: ['.gemini'] },
  opencode: {
    output: 'opencode-json',
    folders: ['.opencode'],
    files: ['opencode.json', 'opencode.jsonc'],
    home: ['.config/opencode'],
  },
  qwen: { output: 'qwen-stream', folders: ['.qwen'] },
  pi: { output: 'pi-json', folders: ['.pi'] },
  droid: { output: 'droid-stream', folders: ['.factory'] },
} as const satisfies Readonly<Record<string, Known>>;

export type AgentName = keyof typeof AGENTS;
export const BUILT_IN_AGENTS = Object.keys(AGENTS) as unknown as readonly [AgentName, ...AgentName[]];

/** Programs that `[runners.NAME] protocol = "acp"` starts without an `argv`, and that have no adapter (`others.ts`). */
export const OVER_ACP_ALONE: readonly string[] = ['goose'];

type BuiltInOutput = (typeof AGENTS)[AgentName]['output'];
/** `text`: only the agent's own words; `json:PATH`: words at a path; `acp`: Agent Client Protocol. */
export type AgentOutput = 'text' | 'acp' | `json:${string}` | BuiltInOutput;

/** Returns whether an output has the agent's words but none of its actions. */
export function isWordsAlone(output: string): boolean {
  return output === 'text' || output.startsWith('json:');
}

/** Values of `[runners.NAME] output`. */
export const AGENT_OUTPUTS: readonly ['text', ...BuiltInOutput[]] = [
  'text',
  ...BUILT_IN_AGENTS.map((name) => AGENTS[name].output),
];

/** Places of agents that have no adapter but that you or other agents use, and of a file that several read. */
const OTHERS: readonly SettingsPlaces[] = [
  { folders: ['.cursor'] },
  { folders: ['.amp'], files: ['.mcp.json'], home: ['.config/amp'] },
];

const PLACES: readonly SettingsPlaces[] = [...Object.values(AGENTS), ...OTHERS];

export const AGENT_SETTINGS: Required<SettingsPlaces> = {
  folders: PLACES.flatMap(({ folders }) => folders),
  files: PLACES.flatMap(({ files = [] }) => files),
  home: PLACES.flatMap(({ home = [] }) => home),
};

/** Programs that change agents' settings: `claude mcp add`. */
export const AGENT_PROGRAMS: readonly string[] = [...BUILT_IN_AGENTS, 'cursor-agent', 'amp'];
