import { AGENT_PROGRAMS } from 'ralph-agents/known';
import { type Field, fieldText, programName, type SimpleCommand, splitArguments } from '../../shell/index.ts';
import { FILES } from './files.ts';
import { type Call, entriesFor, type ProgramWithOptions, withOptions } from './program.ts';
import { RUNNERS } from './runners.ts';

const CATALOGUE: ReadonlyMap<string, ProgramWithOptions> = new Map(
  Object.entries({
    ...FILES,
    ...RUNNERS,
    ...entriesFor(AGENT_PROGRAMS.join(' '), { writes: agentSettings }),
  }).map(([name, program]) => [name, withOptions(program)]),
);

/** Returns the program's entry. Versions share one: `python3.12` has that of `python`, `mkfs.ext4` that of `mkfs`. */
export function programNamed(name: string): ProgramWithOptions | undefined {
  const known = CATALOGUE.get(name);
  if (known !== undefined) return known;
  if (name.startsWith('mkfs.')) return CATALOGUE.get('mkfs');
  const versioned = CATALOGUE.get(name.replace(/[\d.]+$/, ''));
  return versioned?.prompt === undefined && versioned?.code === undefined ? undefined : versioned;
}

/** A command hidden in a variable (`$TOOL -rf x`) counts as `rm`: no other common program has these options. */
const REMOVER = withOptions({ deletes: 'all' });

export function programOf([name, first]: readonly Field[]): ProgramWithOptions | undefined {
  const removes = /^-[a-zA-Z]*(?:[rR][a-zA-Z]*f|f[a-zA-Z]*[rR])[a-zA-Z]*$/.test(first?.head ?? '');
  if (name?.kind === 'unknown' && removes) return REMOVER;
  return programNamed(programName(name));
}

export function callOf(command: SimpleCommand, program: ProgramWithOptions): Call {
  const [first, ...rest] = command.argv.slice(1);
  const bundle = program.bundled && first !== undefined && /^[a-zA-Z]+$/.test(first.head);
  const args = first === undefined ? [] : [bundle ? { ...first, head: `-${first.head}` } : first, ...rest];
  return {
    name: programName(command.argv[0]),
    args,
    command,
    ...splitArguments(args, program.options),
  };
}

const CHANGES =
  /^(?:add.*|set|remove|rm|delete|import|install|uninstall|enable|disable|link|unlink|reset.*)$/;

/** `claude mcp add`, `gemini extensions install`: an agent's own program changes its settings. */
function agentSettings({ name, operands }: Call): readonly Field[] {
  const [topic = '', verb = ''] = operands.map(fieldText);
  const changes = /^(?:mcp|config|plugins?|extensions?|hooks?|settings)$/.test(topic) && CHANGES.test(verb);
  return changes ? [{ kind: 'unknown', head: `~/.${name}`, tail: '' }] : [];
}
