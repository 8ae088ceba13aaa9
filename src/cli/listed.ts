import { Command, Help, type Option } from 'commander';

/**
 * The short list of commands: those for a first night and the morning after. It has every command that ralph suggests
 * as a next step.
 */
export const CORE: readonly string[] = [
  'demo',
  'init',
  'do',
  'run',
  'status',
  'report',
  'page',
  'tasks',
  'blocked',
  'answer',
  'approvals',
  'logs',
  'diff',
  'take',
  'land',
  'unblock',
  'feedback',
  'stop',
  'resume',
  'profile',
  'doctor',
  'help',
];

/** Prints help with every command in groups, as commander does it without the short list. */
export function printAll(program: Command): void {
  const { visibleCommands: _, groupItems: __, ...style } = program.configureHelp();
  program.configureHelp(style).outputHelp();
}

/** Whether the help of the program lists every command, so that it needn't say where they are listed. */
export function showsAll(program: Command): boolean {
  return program.configureHelp().visibleCommands === undefined;
}

/** Returns the commands that a help lists: for `ralph --help` the short list, for a command all below it. */
export function listedIn(command: Command): Command[] {
  const all = new Help().visibleCommands(command);
  return command.parent === null ? CORE.flatMap((name) => all.find((one) => one.name() === name) ?? []) : all;
}

/** Returns the content below each heading of a help. The short list has one heading. */
export function groupsOf<T extends Command | Option>(
  all: T[],
  listed: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const [first] = listed;
  const isOfProgram = first instanceof Command && first.parent?.parent === null;
  return isOfProgram ? new Map([['Commands:', listed]]) : new Help().groupItems(all, listed, groupOf);
}
