import { packageScripts } from '../../../lib/formats/package-scripts.ts';
import { fitsPattern } from '../../../lib/paths.ts';
import { type Field, fieldText, splitArguments } from '../../shell/index.ts';

const MANAGER_VALUED = ['-C', '--dir', '--prefix', '-w', '--workspace', '-F', '--filter'];

/** The scripts of a package that a program is asked for, which may be patterns; `null`: it runs none. */
export function askedScripts(name: string, args: readonly Field[]): readonly string[] | null {
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) return byManager(args);
  return /^(?:npm-run-all2?|run-[sp])$/.test(name)
    ? splitArguments(args, ['-n', '-c', '--max-parallel']).operands.map(fieldText)
    : null;
}

/** `npm run NAME`, `npm test`, `yarn NAME`; what an install runs around itself. */
function byManager(args: readonly Field[]): readonly string[] {
  const [verb = '', name = ''] = splitArguments(args, MANAGER_VALUED).operands.map(fieldText);
  const script = /^(?:run|run-script)$/.test(verb) ? name : /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  const installs = /^(?:i|install|ci|add|)$/.test(script);
  return installs ? ['install', 'prepare'] : script === '' ? [] : [script];
}

/** The command lines behind names of scripts, with those that run in front of and after them. */
export function namedScripts(text: string, names: readonly string[]): readonly string[] {
  return [...packageScripts(text)]
    .filter(([name]) => names.some((each) => isAround(name, each)))
    .map(([, line]) => line);
}

/** `prebuild` and `postbuild` run around `build`; a pattern stands for several names. */
function isAround(name: string, asked: string): boolean {
  if (asked.includes('*')) return fitsPattern(name.replaceAll(':', '/'), asked.replaceAll(':', '/'));
  return name === asked || name === `pre${asked}` || name === `post${asked}`;
}
