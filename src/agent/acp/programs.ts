import type { HookBasics } from '../../domain/agent.ts';
import type { Action, ActionKind } from '../../lib/actions/action.ts';

/** Whether a program asks before an action of a kind: before each, before some, or it was never seen to do one. */
export type Asks = 'each' | 'some' | 'unseen';

/** A program that speaks the protocol, as ralph starts it, and what it was seen to ask for (ADR 79). */
type AcpProgram = {
  /** Without the program; its settings for asking before it acts are among them. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly modelFlag: string | null;
  readonly edits: Asks;
  readonly commands: Asks;
  readonly network: Asks;
};

/** By the name of the built-in agent whose program it is. */
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
  const { edits, commands, network } = program;
  const gaps = [
    ...(edits === 'each' ? [] : ['edits']),
    ...(commands === 'each' ? [] : ['commands that it takes for harmless']),
    ...(network === 'each' ? [] : ['its own requests to the network']),
  ];
  if (gaps.length === 0) return undefined;
  const asks = { edits, commands, network };
  const holds = ({ kind }: Action) => {
    const group = KIND_OF[kind];
    return group !== undefined && asks[group] !== 'each';
  };
  return { what: `it doesn't ask, or wasn't seen to, before ${gaps.join(' and ')}`, holds };
}
