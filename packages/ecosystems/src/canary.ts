import { nameOf } from 'ralph-kit/paths';

/** Programs that may start something when loaded, and never end or end the process, which isn't a fault. */
const PROGRAM =
  /^(?:__main__|main|cli|index|app|application|server|worker|manage|setup|wsgi|asgi|run|start|bootstrap|migrate|seed)\.\w+$/i;

/** Whether an unrelated test can load the file, judged by path. */
export function isModule(path: string): boolean {
  return !PROGRAM.test(nameOf(path)) && !/(?:^|\/)(?:bin|scripts?|tools|migrations?)\//.test(path);
}

export function indented(lines: readonly string[], depth: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(depth) + line));
}

const PARTS = /^(.+?)((?:[-_](?:tests?|specs?)|(?:Tests?|TestCase|Specs?|IT))?(?:\.[\w-]+)+)$/;

/** Returns the neighbour's name with the word added. The parts that runners match, at either end, stay. */
export function siblingOf(neighbour: string, word: string, separator?: string): string | null {
  const folder = neighbour.slice(0, neighbour.lastIndexOf('/') + 1);
  const name = nameOf(neighbour);
  const [, stem, rest] = PARTS.exec(name) ?? [];
  if (stem === undefined || rest === undefined) return null;
  const isJavascript = /\.[cm]?[jt]sx?$/.test(name);
  const between = separator ?? (isJavascript && !/_/.test(name) ? '-' : '_');
  return `${folder}${stem}${between}${word}${rest}`;
}

/** Support files in test folders; they contain no tests. */
export const HELPER =
  /(?:^|\/)(?:set-?up|teardown|bootstrap|support|helpers?|utils?|fixtures?|common|shared|hooks?|globals?|config|mocks?|stubs?|factor(?:y|ies)|index)\b[^/]*(?:\/|$)|[-_.](?:helpers?|utils?|fixtures?|setup|config)\.\w+$/i;
