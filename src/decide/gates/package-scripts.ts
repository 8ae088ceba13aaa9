import { packageScripts } from 'ralph-kit/formats/package-scripts';
import { own } from 'ralph-kit/own';
import { vacuousShell } from './vacuous.ts';

const MANAGER = /^(?:npm|pnpm|yarn|bun)$/;
const ENTRIES: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
const RUN = /^(?:run|run-script|rum|urn)$/;
const EXECUTE = /^(?:exec|x|dlx)$/;
const VALUED = /^(?:--prefix|-C|--dir|--cwd|-w|--workspace|--filter|-F)$/;
const FOLDER = /^(?:--prefix|-C|--dir|--cwd)$/;

/** Returns the scripts of package.json that a package manager's command runs; `null`: it runs none. */
export function calledScripts(
  program: string,
  words: readonly string[],
): { readonly names: readonly string[]; readonly folder: string | null } | null {
  if (!MANAGER.test(program)) return null;
  const { operands, folder } = operandsOf(words);
  const [first = '', second] = operands;
  const named = RUN.test(first)
    ? second
    : (own(ENTRIES, first) ?? (program === 'npm' || EXECUTE.test(first) ? undefined : first));
  if (named === undefined || named === '') return null;
  return { names: [`pre${named}`, named, `post${named}`], folder };
}

/**
 * Returns the program of `node_modules/.bin` in a command such as `npx jest`, `npm exec jest` or `yarn jest`; `null`:
 * there is none.
 */
export function calledBin(program: string, words: readonly string[]): string | null {
  const { operands } = operandsOf(words);
  const [first = '', second] = operands;
  const named = /^(?:npx|bunx|pnpx)$/.test(program)
    ? first
    : !MANAGER.test(program)
      ? undefined
      : EXECUTE.test(first)
        ? second
        : program === 'npm' || RUN.test(first)
          ? undefined
          : first;
  return named === undefined || !/^[\w@.-]+$/.test(named) ? null : named;
}

function operandsOf(words: readonly string[]): { operands: readonly string[]; folder: string | null } {
  const operands: string[] = [];
  let folder: string | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const attached = /^(--prefix|--dir|--cwd)=(.*)$/.exec(word);
    if (attached !== null) folder = attached[2] ?? null;
    else if (VALUED.test(word)) {
      index += 1;
      if (FOLDER.test(word)) folder = words[index] ?? null;
    } else if (!word.startsWith('-')) operands.push(word);
  }
  return { operands, folder };
}

/** Returns scripts of package.json by their names, each with the reason if it checks nothing. */
export function scriptsIn(
  manifest: string,
  names: readonly string[],
): { readonly name: string; readonly entry: string; readonly vacuous: string | null }[] {
  const scripts = packageScripts(manifest);
  return names.flatMap((name, index) => {
    const entry = scripts.get(name);
    if (entry === undefined) return [];
    const why = index === 1 ? vacuousShell(entry) : null;
    return [{ name, entry, vacuous: why === null ? null : `has an entry \`${name}\` that ${why}` }];
  });
}
