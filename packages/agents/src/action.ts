import { type Action, type ActionKind, type ActionPath, MOST_PATHS } from 'ralph-kit/actions/action';
import { changePaths, patchedPaths } from 'ralph-kit/formats/patch-paths';
import { isObject } from 'ralph-kit/is-object';
import { shellQuote } from 'ralph-kit/shell-quote';

type Input = Readonly<Record<string, unknown>>;

export type ToolCall = Pick<Action, 'id' | 'tool' | 'input' | 'cwd'>;

/** Effect of an agent's tool and its relevant parameters. Parameters named like paths count as well. */
export type ToolSpec = {
  readonly kind: ActionKind | ((input: Input) => ActionKind);
  readonly paths?: readonly string[];
  readonly command?: string;
  readonly content?: readonly string[];
  readonly network?: string;
  /** Files that the tool changes without a parameter. */
  readonly writes?: readonly string[];
};

export type Tools = Readonly<Record<string, ToolSpec>>;

/** Returns a function that classifies an agent's calls; unlisted tools are judged by name and parameters. */
export function actionMapper(tools: Tools): (call: ToolCall) => Action {
  return (call) => {
    const spec = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
    return spec === undefined ? unknownAction(call) : knownAction(spec, call);
  };
}

export function tools(kind: ActionKind, ...names: readonly string[]): Tools {
  return Object.fromEntries(names.map((name) => [name, { kind }]));
}

const COMMAND_KEYS = ['command', 'cmd', 'script'];
const TYPED_KEYS = ['chars', 'input', 'text', 'data'];
const CODE_KEYS = ['code', 'script', 'source', 'javascript', 'python'];
const PATCH_KEYS = ['command', 'input', 'patch', 'patchText', 'patch_text', 'diff'];
const FOLDER_KEYS = ['workdir', 'working_directory', 'workingDirectory', 'cwd', 'directory', 'dir_path'];

function knownAction(spec: ToolSpec, call: ToolCall): Action {
  const { input } = call;
  const kind = typeof spec.kind === 'function' ? spec.kind(input) : spec.kind;
  const runs = kind === 'system_command';
  const change = kind === 'file_read' ? 'read' : kind === 'file_delete' ? 'delete' : 'write';
  const own = textsOf(input, spec.paths ?? []).map((path): ActionPath => ({ path: plainPath(path), change }));
  const patched = kind === 'patch' ? patchesIn(input) : [];
  const named = runs || kind === 'typing' ? [] : namedPaths(input, () => change);
  const writes = (spec.writes ?? []).map((path): ActionPath => ({ path, change: 'write' }));
  return {
    ...call,
    kind,
    cwd: folderOf(call),
    paths: distinct([...own, ...patched, ...writes], named),
    command: runs
      ? commandText(input, [...(spec.command === undefined ? [] : [spec.command]), ...COMMAND_KEYS])
      : null,
    content: [
      ...new Set(textsOf(input, [...(spec.content ?? []), ...(kind === 'typing' ? TYPED_KEYS : [])])),
    ],
    network: spec.network === undefined ? null : (textsOf(input, [spec.network])[0] ?? null),
  };
}

/** Verbs in tool names of other servers. */
const READS =
  /(?:^|[_.-])(?:read|get|list|search|view|find|stat|show|describe|query|fetch|open|tree|info)(?:[_.-]|$)/;
const DELETES = /(?:^|[_.-])(?:delete|remove|unlink|trash|rm|rmdir)(?:[_.-]|$)/;
const MOVES = /(?:^|[_.-])(?:move|rename|mv)(?:[_.-]|$)/;
const OLD_PLACE = /^(?:source|src|from|old)/;

/** Classifies an unknown tool by its name and each path by the parameter's name. */
function unknownAction(call: ToolCall): Action {
  const { input } = call;
  const name = inWords(call.tool);
  const changeOf = (key: string): ActionPath['change'] => {
    if (DELETES.test(name)) return 'delete';
    if (MOVES.test(name)) return OLD_PLACE.test(key.toLowerCase()) ? 'delete' : 'write';
    return READS.test(name) ? 'read' : 'write';
  };
  return {
    ...call,
    kind: 'unknown',
    cwd: folderOf(call),
    paths: distinct(patchesIn(input), namedPaths(input, changeOf)),
    command: commandText(input, COMMAND_KEYS),
    content: textsOf(input, CODE_KEYS),
    network: textsOf(input, ['url'])[0] ?? null,
  };
}

function folderOf({ input, cwd }: ToolCall): string | null {
  const named = textsOf(input, FOLDER_KEYS).find((folder) => folder !== '');
  if (named === undefined) return cwd;
  return named.startsWith('/') || cwd === null ? named : `${cwd}/${named}`;
}

/** Returns a shell tool's command line with argument lists quoted; `null` without one. */
function commandText(input: Input, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string') return value;
    // An object in an argument list may lack a text form.
    if (Array.isArray(value))
      return value
        .map((word) =>
          shellQuote(isObject(word) || Array.isArray(word) ? JSON.stringify(word) : String(word)),
        )
        .join(' ');
  }
  return null;
}

/** Returns the files of a patch given as text, in an argument list, or as a list of changes. */
function patchesIn(input: Input): readonly ActionPath[] {
  const lists = PATCH_KEYS.map((key) => input[key]).filter(Array.isArray);
  const listed = lists.flat().filter((each) => typeof each === 'string');
  const patched = [
    ...patchedPaths([...textsOf(input, PATCH_KEYS), ...listed]),
    ...changePaths(input.changes),
  ];
  // A `~` in a patch is an ordinary name.
  return patched.map(({ path, change }) => ({ path: path.startsWith('~/') ? `./${path}` : path, change }));
}

function textsOf(input: Input, keys: readonly string[]): readonly string[] {
  return keys.map((key) => input[key]).filter((value) => typeof value === 'string');
}

const PATH_WORDS =
  /^(?:file|path|filename|filepath|pathname|dir|directory|folder|dest|destination|target|source|src|from|to|uri)s?$/;

function namedPaths(input: Input, changeOf: (key: string) => ActionPath['change']): readonly ActionPath[] {
  const paths: ActionPath[] = [];
  const collect = (value: unknown, key: string, depth: number): void => {
    if (depth > 5 || paths.length > MOST_PATHS) return;
    if (typeof value === 'string') {
      if (value !== '' && isPathName(key)) paths.push({ path: plainPath(value), change: changeOf(key) });
    } else if (Array.isArray(value)) {
      for (const each of value) collect(each, key, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) collect(each, name, depth + 1);
    }
  };
  collect(input, '', 0);
  return paths;
}

function isPathName(key: string): boolean {
  const words = inWords(key).split(/[^a-z0-9]+/);
  return words.some((word) => PATH_WORDS.test(word)) && !/content|text|pattern/.test(words.at(-1) ?? '');
}

function inWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function plainPath(path: string): string {
  return path.replace(/^file:\/\//, '');
}

/** Returns each path and change once; `more` only adds paths that `first` lacks. */
function distinct(first: readonly ActionPath[], more: readonly ActionPath[]): readonly ActionPath[] {
  if (first.length + more.length === 0) return [];
  const known = new Set(first.map(({ path }) => path));
  const all = [...first, ...more.filter(({ path }) => !known.has(path))];
  return [...new Map(all.map((each) => [`${each.change} ${each.path}`, each])).values()];
}
