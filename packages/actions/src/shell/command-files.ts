import { placedPath } from 'ralph-kit/paths';
import { programName } from './arguments.ts';
import { type Budget, spend } from './budget.ts';
import { type Field, fieldText, isNamed, sourcesIn, UNKNOWN_MARK } from './field.ts';
import type { Produced, Programs } from './inner.ts';
import { type Input, type Output, UNKNOWN_OUTPUT } from './output.ts';
import type { ShellState } from './shell-state.ts';
import type { Container } from './simple-command.ts';

/** The possible texts of each file that a script has written so far, by absolute path. The name of a folder ends in `/`. */
export type CommandFiles = Map<string, readonly string[]>;

type Place = {
  readonly state: Pick<ShellState, 'cwds'>;
  readonly contained: Container | null;
  readonly reading: { readonly files: CommandFiles; readonly programs: Programs; readonly budget: Budget };
};

/** Characters of a text that is kept; longer ones are dropped. */
const MOST_KEPT = 65_536;

export function keepFile(target: Field, text: string, walk: Place, adds = false): void {
  if (!isNamed(target) || text.length > MOST_KEPT) return;
  const { files } = walk.reading;
  for (const path of pathsOf(target, walk)) {
    const before = files.get(path) ?? [];
    const last = adds ? before.at(-1) : undefined;
    files.set(path, [...before, last === undefined ? text : last + text].slice(-4));
  }
}

/** `LOOKUP_STEPS` is the cost of looking up a file in steps of the review's budget; one step pays for reading `READ` characters. */
const LOOKUP_STEPS = 0.5;
const READ = 1000;

export function textsOf(file: Field, walk: Place): readonly string[] {
  if (!isNamed(file)) return [];
  const { files, programs, budget } = walk.reading;
  return pathsOf(file, walk).flatMap((path) => {
    if (!spend(budget, LOOKUP_STEPS)) return [];
    const texts =
      files.get(path) ?? folderTexts(path, files) ?? [programs.textAt(path)].flatMap((text) => text ?? []);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return spend(budget, length / READ) ? texts : [];
  });
}

function folderTexts(path: string, files: CommandFiles): readonly string[] | undefined {
  for (const [folder, texts] of files) if (folder.endsWith('/') && path.startsWith(folder)) return texts;
  return undefined;
}

export function filesOutput(names: readonly Field[], walk: Place): Output {
  const texts = names.map((name) => textsOf(name, walk));
  if (texts.every(([text]) => text !== undefined) && texts.length > 0) {
    return { kind: 'text', text: texts.map((each) => each.join('\n')).join('') };
  }
  return names.some((name) => fieldText(name) === '-') ? UNKNOWN_OUTPUT : { kind: 'files', fields: names };
}

function pathsOf(file: Field, { state, contained }: Place): readonly string[] {
  const head = fieldText(file);
  const paths = state.cwds.flatMap((cwd) => {
    if (contained !== null || (cwd === null && !head.startsWith('/'))) return [];
    const path = placedPath(head, cwd ?? '/', (same) => same, false);
    return [head.endsWith('/') && path !== '/' ? `${path}/` : path];
  });
  return [...new Set(paths)];
}

export function writtenText(output: Output): string {
  return output.kind === 'text' ? output.text : UNKNOWN_MARK;
}

export function keepProduced(
  argv: readonly Field[],
  walk: Place & { readonly input: Input; readonly reading: { readonly substituted: Output } },
): void {
  const { programs, substituted } = walk.reading;
  for (const { target, of } of programs.produces({ argv, input: walk.input, substituted })) {
    for (const text of producedTexts(of, walk)) keepFile(target, text, walk);
  }
  const name = programName(argv[0]);
  const written = argv.slice(1).flatMap(({ head, ...rest }) => {
    if (name === 'dd') return head.startsWith('of=') ? [{ ...rest, head: head.slice(3) }] : [];
    return /^(?:tee|sponge)$/.test(name) ? [{ ...rest, head }] : [];
  });
  for (const target of written) keepFile(target, writtenText(walk.input.output), walk);
}

/** Unpacked text isn't known, but its source is. */
function producedTexts(of: Produced['of'], walk: Place & { readonly input: Input }): readonly string[] {
  if ('text' in of) return [of.text];
  if ('copy' in of) return textsOf(of.copy, walk);
  const texts = of.packed === null ? [writtenText(walk.input.output)] : textsOf(of.packed, walk);
  const sources = sourcesIn(texts.join(''));
  return sources === '' ? [] : [UNKNOWN_MARK + sources];
}
