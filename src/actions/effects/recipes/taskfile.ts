import { filled, neededLines, type Target } from './targets.ts';

/** A line of a file with its indent, and the name in front of its value. */
type Line = {
  readonly indent: number;
  readonly key: string | null;
  readonly value: string;
  readonly item: boolean;
};

/** Keys of a task whose values are no commands. */
const SAYS =
  /^(?:desc|summary|sources|generates|aliases|prompt|platforms|requires|dir|label|msg|method|run|dotenv|set|shopt|silent|internal|interactive|ignore_error|watch|prefix|if|env|vars|for|var|split|as|taskfile|version|output|includes)$/;

/** The texts of files that another one takes in. */
export type ReadFile = (path: string) => readonly string[];

/** The command lines that task runs for the words that it is given, and for what these need. */
export function taskRecipes(
  text: string,
  {
    wanted,
    rest,
    read,
  }: { readonly wanted: readonly string[]; readonly rest: string; readonly read: ReadFile },
): readonly string[] {
  const { targets, variables, evaluated } = taskfile(text, '', read);
  const start = wanted.length > 0 ? wanted : ['default'];
  const values = new Map([...variables, ['CLI_ARGS', rest]]);
  return [...evaluated, ...neededLines(start, targets)].map((line) =>
    filled(line, /\{\{-?\s*\.?(\w+)[^{}]*\}\}/g, values),
  );
}

type Taskfile = {
  readonly targets: Map<string, Target>;
  readonly variables: Map<string, string>;
  /** Commands that run whatever is asked for. */
  readonly evaluated: string[];
};

/** @param prefix in front of its tasks, where another file takes it in. */
function taskfile(text: string, prefix: string, read: ReadFile): Taskfile {
  const file: Taskfile = { targets: new Map(), variables: new Map(), evaluated: [] };
  for (const [name, body] of sections(linesOf(text), 0)) {
    if (name === 'vars' || name === 'env') setVariables(body, file);
    if (name === 'tasks')
      for (const [task, inner] of sections(body, body[0]?.indent ?? 0))
        file.targets.set(prefix + task, taskOf(inner));
    if (name !== 'includes' || prefix !== '') continue;
    for (const [space, inner] of sections(body, body[0]?.indent ?? 0)) {
      const path = inner.find(({ key }) => key === null || key === 'taskfile')?.value ?? '';
      for (const included of path === '' ? [] : read(path)) {
        const { targets, variables, evaluated } = taskfile(included, `${space}:`, read);
        for (const [task, target] of targets) file.targets.set(task, target);
        for (const [variable, value] of variables) file.variables.set(variable, value);
        file.evaluated.push(...evaluated);
      }
    }
  }
  return file;
}

function setVariables(body: readonly Line[], { variables, evaluated }: Taskfile): void {
  for (const { key, value } of body) {
    if (key === 'sh') evaluated.push(value);
    else if (/^\{.*\bsh:/.test(value)) evaluated.push(...scalarsIn(value));
    else if (key !== null && value !== '') variables.set(key, value);
  }
}

/** What is said at an indent, by its name, with the lines below it. */
function sections(lines: readonly Line[], indent: number): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>();
  let current: Line[] = [];
  for (const line of lines) {
    if (line.indent > indent || line.item || line.key === null) {
      current.push(line);
      continue;
    }
    // What stands on the line itself is the first of what it says.
    current = line.value === '' ? [] : [{ ...line, key: null, indent: indent + 1 }];
    found.set(line.key, current);
  }
  return found;
}

function taskOf(body: readonly Line[]): Target {
  const needs: string[] = [];
  const lines: string[] = [];
  /** The key at the top of the task, and its indent. */
  let top = 'cmds';
  const indent = body.find(({ key, item }) => key !== null && !item)?.indent ?? 0;
  for (const { key, value, item, indent: at } of body) {
    if (key !== null && !item && at <= indent) top = key;
    const said = key ?? '';
    const texts = scalarsIn(value);
    // What is no task here is left out.
    if (said === 'task' || top === 'deps' || value.startsWith('{')) needs.push(...texts);
    if (said === 'task' || top === 'deps') continue;
    const runs = said === 'sh' || /^\{.*\bsh:/.test(value);
    if (runs || (!SAYS.test(top) && !SAYS.test(said))) lines.push(...texts);
  }
  return { needs, lines };
}

/** The texts in `[a, "b"]` and `{task: x}`, or the text itself. */
function scalarsIn(value: string): readonly string[] {
  if (value === '') return [];
  if (!/^[[{]/.test(value) || value.startsWith('{{')) return [value];
  const parts = value.match(/"(?:\\.|[^"\\])*"|'[^']*'|[^[\]{},"']+/g) ?? [];
  return parts.map((part) => unquoted(part.trim().replace(/^\w+:\s+|:$/, ''))).filter((part) => part !== '');
}

function linesOf(text: string): readonly Line[] {
  const found: Line[] = [];
  const named = new Map<string, string>();
  let block: Block | null = null;
  for (const raw of text.split('\n')) {
    const indent = raw.search(/\S/);
    if (indent < 0) continue;
    if (block !== null && indent > block.indent) {
      block.texts.push(raw.trim());
      continue;
    }
    if (block !== null) found.push(lineOf(block, named));
    const [, dashes = '', content = ''] = /^\s*((?:-\s+)*)(.*)$/.exec(raw) ?? [];
    block = content.startsWith('#') || content === '---' ? null : blockOf(content, indent, dashes.length);
  }
  return block === null ? found : [...found, lineOf(block, named)];
}

/** A line with those that go on with its text. */
type Block = Omit<Line, 'value' | 'indent'> & {
  readonly column: number;
  /** Deeper lines belong to it. */
  readonly indent: number;
  readonly texts: string[];
};

function blockOf(content: string, indent: number, dashes: number): Block {
  const [, key, after = ''] = /^("[^"\n]*"|'[^'\n]*'|[\w.*:/-]*[\w.*/-]):(?:\s+(.*))?$/.exec(content) ?? [];
  const value = (key === undefined ? content : after).trim();
  return {
    key: key === undefined ? null : unquoted(key),
    item: dashes > 0,
    column: indent + dashes,
    // Behind a name without a value others come.
    indent: value === '' ? Number.POSITIVE_INFINITY : key === undefined ? indent : indent + dashes,
    texts: [value],
  };
}

function lineOf({ key, item, column, texts }: Block, named: Map<string, string>): Line {
  const [, name, first = ''] = /^(?:&(\S+)\s*)?(?:!\S+\s*)?(.*)$/s.exec(texts[0] ?? '') ?? [];
  const written = /^[|>][-+\d]*$/.test(first)
    ? texts.slice(1).join(first.startsWith('>') ? ' ' : '\n')
    : withoutComment([first, ...texts.slice(1)].join(' '));
  const value = /^\*\w+$/.test(written) ? (named.get(written.slice(1)) ?? '') : written;
  if (name !== undefined) named.set(name, value);
  return { key, item, indent: column, value };
}

function withoutComment(text: string): string {
  const plain = unquoted(text);
  return plain === text ? text.replace(/(?:^|\s)#.*$/s, '').trim() : plain;
}

function unquoted(text: string): string {
  const [, double] = /^"((?:\\.|[^"\\])*)"(?:\s+#.*)?$/s.exec(text) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1');
  const [, single] = /^'((?:''|[^'])*)'(?:\s+#.*)?$/s.exec(text) ?? [];
  return single?.replaceAll("''", "'") ?? text;
}
