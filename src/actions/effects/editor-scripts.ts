import {
  exactField,
  type Field,
  fieldText,
  programName,
  type SimpleCommand,
  splitArguments,
  UNKNOWN_MARK,
} from '../shell/index.ts';

/** What the commands given to an editor write and run. */
export type EditorScript = { readonly writes: readonly Field[]; readonly shells: readonly string[] };

const SED = /^g?sed$/;
const EDITOR = /^(?:vi|vim|nvim|view|ex|ed|red)$/;
/** `w FILE` of sed, alone or behind `s/a/b/`; it has to follow the end of something, as `w` may stand in any text. */
const SED_WRITES = /(?:^|[;{}\n\d$!/|#,:@~])[ \t]{0,9}[gpiImMe\d]{0,9}[wW][ \t]+([^\n}]+)/g;
const SED_RUNS = /(?:^|[;{}\n\d$!/])[ \t]{0,9}e[ \t]+([^\n}]+)/g;
/** `s/…/command/e` runs what it has made. */
const SED_RUNS_RESULT =
  /s([/|#,:@~])(?:(?!\1)(?:\\[\s\S]|[^\\]))*\1((?:(?!\1)(?:\\[\s\S]|[^\\]))*)\1[gpiImM\d]*e/g;
const WRITES = /^(?:w|wr|wri|writ|write|wq|x|xit|exi|exit|sav|savea|saveas)!?[ \t]+(?:>>[ \t]*)?([^!\s].*)$/;
const RUNS = /^(?:r|re|rea|read|w|wr|write|e)?!?[ \t]*!(.+)$/;
/** A range of lines, and words that change how a command reports. */
const BEFORE = /^(?:[\s:]|[\d,.$%]|sil(?:ent)?!?\s|noa(?:utocmd)?\s)+/;
const CALLS = /\bsystem(?:list)?\s*\(\s*(["'])(.*)\1/;
const DELETES = /\bdelete\s*\(\s*(["'])([^"']*)\1/;

/** `null` where the command isn't an editor that takes commands. */
export function editorScript({ argv, input }: SimpleCommand): EditorScript | null {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (SED.test(name)) return sedScript(args);
  if (!EDITOR.test(name)) return null;
  const { values, operands } = splitArguments(args, ['-c', '--cmd', '-S', '-u']);
  const given = [...(values.get('-c') ?? []), ...(values.get('--cmd') ?? [])].map(fieldText);
  const plus = operands.map(fieldText).filter((text) => text.startsWith('+'));
  const fed = input.output.kind === 'text' ? [input.output.text] : [];
  const lines = [...given, ...plus.map((text) => text.slice(1)), ...fed].flatMap((text) => text.split('\n'));
  const commands = lines.flatMap(editorCommands);
  return {
    writes: commands.flatMap((line) => WRITES.exec(line)?.slice(1, 2) ?? []).map(exactField),
    shells: commands.flatMap((line) => {
      const deleted = DELETES.exec(line)?.[2];
      if (deleted !== undefined) return [`rm -rf '${deleted}'`];
      return RUNS.exec(line)?.slice(1, 2) ?? CALLS.exec(line)?.slice(2, 3) ?? [];
    }),
  };
}

/** The commands of a line; what stands behind the first one for a shell is the shell's. */
function editorCommands(line: string): readonly string[] {
  const parts = line.split('|');
  const commands = parts.map((part) => part.replace(BEFORE, '').trim());
  const first = commands.findIndex((command) => RUNS.test(command));
  if (first < 0) return commands;
  return [...commands.slice(0, first), [commands[first], ...parts.slice(first + 1)].join('|')];
}

function sedScript(args: readonly Field[]): EditorScript {
  const { values, operands } = splitArguments(args, ['-e', '-f', '--expression', '--file']);
  const given = [...(values.get('-e') ?? []), ...(values.get('--expression') ?? [])];
  const programs = (values.size > 0 ? given : operands.slice(0, 1)).map(fieldText);
  const found = (pattern: RegExp, group: number) =>
    programs.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[group] ?? ''));
  return {
    writes: found(SED_WRITES, 1).map(exactField),
    shells: [
      ...found(SED_RUNS, 1),
      ...found(SED_RUNS_RESULT, 2).map((text) => `${text.replace(/\\(.)/g, '$1')} ${UNKNOWN_MARK}`),
    ],
  };
}
