import { packageScripts } from 'ralph-kit/formats/package-scripts';
import { LONGEST_SCRIPT } from '../forms/place.ts';
import {
  exactField,
  type Field,
  fieldText,
  programName,
  type SimpleCommand,
  splitArguments,
} from '../shell/index.ts';
import { programNamed } from './catalogue/index.ts';
import type { Effect } from './effect.ts';
import { textsAt, type WrittenFiles } from './written-files.ts';

export type Scripts = {
  readonly codes: readonly string[];
  /** Command lines from scripts of a package. */
  readonly shells: readonly string[];
  readonly others: readonly Effect[];
};

const NO_SCRIPTS: Scripts = { codes: [], shells: [], others: [] };

const RUN_WORDS = /^(?:run|x)$/;

export function writtenScripts(command: SimpleCommand, written: WrittenFiles): Scripts {
  const [program] = command.argv;
  const name = programName(program);
  const args = command.argv.slice(1);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    const shells = scriptsOfPackage(args, command, written);
    // bun runs files as well as package scripts.
    if (shells.length > 0 || name !== 'bun') return { ...NO_SCRIPTS, shells };
  }
  const known = programNamed(name);
  if (known?.code !== undefined) {
    const { operands, values } = splitArguments(args, known.options, true);
    if (known.code.some((option) => values.has(option))) return NO_SCRIPTS;
    const words =
      operands.length > 1 && RUN_WORDS.test(fieldText(operands[0] ?? exactField('')))
        ? splitArguments(operands.slice(1), known.options, true).operands
        : operands;
    const { output } = command.input;
    const fed = output.kind === 'files' ? output.fields : [];
    const read = words.length === 0 ? fed : words.slice(0, 1);
    return codesOf([...moduleFiles(name, args), ...read], command, written);
  }
  // The first line of `./x.py` names the interpreter.
  if (program?.kind !== 'exact' || !program.head.includes('/')) return NO_SCRIPTS;
  const { codes, others } = codesOf([program], command, written);
  const own = codes.filter((text) => text.startsWith('#!') && !/^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text));
  return { ...NO_SCRIPTS, codes: own, others };
}

function moduleFiles(program: string, args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(({ head }) => head === '-m');
  if (at < 0 || !/^python[\d.]*$/.test(program)) return [];
  const name = fieldText(args[at + 1] ?? exactField('')).replaceAll('.', '/');
  return [`${name}.py`, `${name}/__main__.py`].map(exactField);
}

function codesOf(files: readonly Field[], command: SimpleCommand, written: WrittenFiles): Scripts {
  const texts = files.flatMap((file) => textsAt(file, command, written));
  const long = texts.some((text) => text.length > LONGEST_SCRIPT);
  const by = programName(command.argv[0]);
  return {
    ...NO_SCRIPTS,
    codes: texts.filter((text) => text.length <= LONGEST_SCRIPT),
    others: long ? [{ kind: 'runs_script', by, shown: fieldText(files[0] ?? exactField('')) }] : [],
  };
}

const MANAGER_VALUED = ['-C', '--dir', '--prefix', '-w', '--workspace', '-F', '--filter'];

/** Returns the scripts of `npm run NAME`, `npm test` or `yarn NAME`, hooks of an install, and `prebuild` and `postbuild`. */
function scriptsOfPackage(
  args: readonly Field[],
  command: SimpleCommand,
  written: WrittenFiles,
): readonly string[] {
  const [verb = '', name = ''] = splitArguments(args, MANAGER_VALUED).operands.map(fieldText);
  const script = /^(?:run|run-script)$/.test(verb) ? name : /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  const asked = /^(?:i|install|ci|add|)$/.test(script) ? ['install', 'prepare'] : [script];
  const names = asked.flatMap((each) => [each, `pre${each}`, `post${each}`]);
  return textsAt(exactField('package.json'), command, written).flatMap((text) =>
    [...packageScripts(text)].flatMap(([each, line]) => (names.includes(each) ? [line] : [])),
  );
}
