import type { HookBasics, OwnNotes } from '../../domain/agent.ts';
import type { AgentHome, Inherits } from '../../domain/box/box.ts';
import type { Action, ActionKind } from '../../lib/actions/action.ts';
import { OF_PROVIDERS } from '../built-in.ts';

/** Whether a program asks before an action of a kind: before each, before some, or it was never seen to do one. */
export type Asks = 'each' | 'some' | 'unseen';

/** A program that speaks the protocol, as ralph starts it, and what it was seen to ask for (ADR 79). */
type AcpProgram = {
  /** Without the program; its settings for asking before it acts are among them. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The option, or else the variable, that names the model. */
  readonly modelFlag: string | null;
  readonly modelVariable?: string;
  /** Its helpers ask for nothing. What they do has no number. */
  readonly helpersAsk?: false;
  /** Of a program that is no built-in agent. */
  readonly place?: { readonly home: AgentHome; readonly inherits: Inherits; readonly notes: OwnNotes };
  readonly edits: Asks;
  readonly commands: Asks;
  readonly network: Asks;
};

/** By the name of its program; those of built-in agents, and others. */
export const ACP_PROGRAMS: ReadonlyMap<string, AcpProgram> = new Map<string, AcpProgram>([
  [
    'copilot',
    {
      ...{ args: ['--acp'], env: {}, modelFlag: '--model' },
      ...{ edits: 'each', commands: 'each', network: 'unseen' },
    },
  ],
  [
    'gemini',
    {
      ...{ args: ['--acp', '--approval-mode', 'default', '--skip-trust'], env: {}, modelFlag: '-m' },
      ...{ edits: 'each', commands: 'some', network: 'each' },
    },
  ],
  [
    'opencode',
    {
      args: ['acp'],
      // It asks for nothing without this.
      env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
      modelFlag: null,
      ...{ edits: 'each', commands: 'each', network: 'each' },
    },
  ],
  [
    'qwen',
    {
      ...{ args: ['--acp', '--approval-mode', 'default'], env: {}, modelFlag: '--model' },
      ...{ edits: 'each', commands: 'some', network: 'each' },
    },
  ],
  [
    'goose',
    {
      // In its usual mode it asks for nothing.
      ...{ args: ['acp'], env: { GOOSE_MODE: 'approve' }, modelFlag: null, modelVariable: 'GOOSE_MODEL' },
      ...{ edits: 'each', commands: 'each', network: 'unseen', helpersAsk: false },
      place: {
        home: {
          folders: [
            { path: '.config/goose', variable: null, base: 'XDG_CONFIG_HOME' },
            { path: '.local/share/goose', variable: null, base: 'XDG_DATA_HOME' },
            { path: '.local/state/goose', variable: null, base: 'XDG_STATE_HOME' },
          ],
          // Without `permission.yaml`: what you allowed for ever would not be asked for.
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
        inherits: { which: 'but-secrets', and: ['GOOSE_*', ...OF_PROVIDERS] },
        notes: { files: ['AGENTS.md', '.goosehints'], which: 'all', off: [] },
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

/** What a program does without asking; `undefined`: nothing. `null` stands for a program that was never measured. */
export function unaskedOf(program: AcpProgram | null): HookBasics['unasked'] {
  if (program === null) return { what: 'which actions it asks for was never measured', holds: () => false };
  const { edits, commands, network, helpersAsk = true } = program;
  const gaps = [
    ...(edits === 'each' ? [] : ['edits']),
    ...(commands === 'each' ? [] : ['commands that it takes for harmless']),
    ...(network === 'each' ? [] : ['its own requests to the network']),
    ...(helpersAsk ? [] : ['what its helpers do']),
  ];
  if (gaps.length === 0) return undefined;
  const asks = { edits, commands, network };
  const holds = ({ id, kind }: Action) => {
    const group = KIND_OF[kind];
    return (!helpersAsk && id === null) || (group !== undefined && asks[group] !== 'each');
  };
  return { what: `it doesn't ask, or wasn't seen to, before ${gaps.join(' and ')}`, holds };
}
