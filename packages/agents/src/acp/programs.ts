import type { Action, ActionKind } from 'ralph-kit/actions/action';
import type { HookBasics } from '../hook.ts';

/** Whether a program asks before every or some actions of a kind; `unseen`: it was never seen to do one. */
export type Asks = 'each' | 'some' | 'unseen';

/** Start and observed questions of a program that speaks the protocol (ADR 79). */
export type AcpProgram = {
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
  readonly edits: Asks;
  readonly commands: Asks;
  readonly network: Asks;
};

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
