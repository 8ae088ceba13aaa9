import type { Action, ActionKind } from 'ralph-kit/actions/action';
import type { AgentHome, Inherits } from 'ralph-kit/agent-home';
import { OF_PROVIDERS } from '../built-in.ts';
import type { HookBasics } from '../hook.ts';
import type { OwnNotes } from '../protocol.ts';

/** Whether a program asks before every or some actions of a kind; `unseen`: it was never seen to do one. */
export type Asks = 'each' | 'some' | 'unseen';

/** Start and observed questions of a program that speaks the protocol (ADR 79). */
type AcpProgram = {
  /** Arguments after the program, including settings for asking before actions. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Option or variable that names the model. */
  readonly modelFlag: string | null;
  readonly modelVariable?: string;
  /** Helpers never ask, and their actions have no number. */
  readonly helpersAsk?: false;
  /** Whole message about a failed service; the first group has the service's words. */
  readonly failure?: RegExp;
  /** Where the program keeps its data, settings and notes; absent for built-in agents, whose adapters know it. */
  readonly place?: { readonly home: AgentHome; readonly inherits: Inherits; readonly notes: OwnNotes };
  readonly edits: Asks;
  readonly commands: Asks;
  readonly network: Asks;
};

export const ACP_PROGRAMS: ReadonlyMap<string, AcpProgram> = new Map<string, AcpProgram>([
  [
    'copilot',
    {
      args: ['--acp'],
      env: {},
      modelFlag: '--model',
      edits: 'each',
      commands: 'each',
      network: 'unseen',
    },
  ],
  [
    'gemini',
    {
      args: ['--acp', '--approval-mode', 'default', '--skip-trust'],
      env: {},
      modelFlag: '-m',
      edits: 'each',
      commands: 'some',
      network: 'each',
    },
  ],
  [
    'opencode',
    {
      args: ['acp'],
      // Without this variable, opencode never asks.
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
      modelFlag: null,
      edits: 'each',
      commands: 'each',
      network: 'each',
    },
  ],
  [
    'qwen',
    {
      args: ['--acp', '--approval-mode', 'default'],
      env: {},
      modelFlag: '--model',
      edits: 'each',
      commands: 'some',
      network: 'each',
    },
  ],
  [
    'goose',
    {
      args: ['acp'],
      // goose's default mode never asks. Between retries goose silently waits up to an hour.
      env: { GOOSE_MODE: 'approve', GOOSE_PROVIDER_SKIP_BACKOFF: 'true' },
      modelFlag: null,
      modelVariable: 'GOOSE_MODEL',
      failure:
        /^Ran into this error: ([\s\S]+?)\.?\n\nPlease retry if you think this is a transient or recoverable error\.$/,
      edits: 'each',
      commands: 'each',
      network: 'unseen',
      helpersAsk: false,
      place: {
        home: {
          folders: [
            { path: '.config/goose', variable: null, base: 'XDG_CONFIG_HOME' },
            { path: '.local/share/goose', variable: null, base: 'XDG_DATA_HOME' },
            { path: '.local/state/goose', variable: null, base: 'XDG_STATE_HOME' },
          ],
          // `permission.yaml` is left out: goose wouldn't ask about what you always allow.
          settings: [
            '.config/goose/config.yaml',
            '.config/goose/secrets.yaml',
            '.config/goose/custom_providers',
            '.config/goose/.goosehints',
          ],
          sessions: ['.local/share/goose/sessions'],
          signIns: [],
          copies: [],
          nests: false,
        },
        inherits: { which: 'but-secrets', additional: ['GOOSE_*', ...OF_PROVIDERS] },
        notes: { files: ['AGENTS.md', '.goosehints'], which: 'all', disablingArguments: [] },
      },
    },
  ],
]);

const KIND_OF: Readonly<Partial<Record<ActionKind, 'edits' | 'commands' | 'network'>>> = {
  file_create: 'edits',
  file_modify: 'edits',
  file_write: 'edits',
  file_delete: 'edits',
  patch: 'edits',
  system_command: 'commands',
  network_request: 'network',
};

/**
 * Returns what a program does without asking; `undefined`: nothing. @param program `null`: the program was never
 * measured.
 */
export function unaskedOf(program: AcpProgram | null): HookBasics['unasked'] {
  if (program === null) return { what: 'which actions it asks for was never measured', matches: () => false };
  const { edits, commands, network, helpersAsk = true } = program;
  const gaps = [
    ...(edits === 'each' ? [] : ['edits']),
    ...(commands === 'each' ? [] : ['commands that it takes for harmless']),
    ...(network === 'each' ? [] : ['its own requests to the network']),
    ...(helpersAsk ? [] : ['what its helpers do']),
  ];
  if (gaps.length === 0) return undefined;
  const asks = { edits, commands, network };
  const matches = ({ id, kind }: Action) => {
    const group = KIND_OF[kind];
    return (!helpersAsk && id === null) || (group !== undefined && asks[group] !== 'each');
  };
  return { what: `it doesn't ask, or wasn't seen to, before ${gaps.join(' and ')}`, matches };
}
