import { packageScripts, scriptsOf } from '../../../lib/formats/package-scripts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { fitsPattern } from '../../../lib/paths.ts';
import { type Field, fieldText, splitArguments } from '../../shell/index.ts';

/** A manifest whose scripts a program runs by their names. */
export type Manifest = {
  readonly files: readonly string[];
  /** The names that are asked for, which may be patterns; none: it runs no script. */
  readonly asked: (args: readonly Field[]) => readonly string[];
};

const MANAGER_VALUED = ['-C', '--dir', '--prefix', '-w', '--workspace', '-F', '--filter'];

/** `npm run NAME`, `npm test`, `yarn NAME`; what an install runs around itself. */
function byManager(args: readonly Field[]): readonly string[] {
  const [verb = '', name = ''] = splitArguments(args, MANAGER_VALUED).operands.map(fieldText);
  const script = /^(?:run|run-script)$/.test(verb) ? name : /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  const installs = /^(?:i|install|ci|add|)$/.test(script);
  return installs ? ['install', 'prepare'] : script === '' ? [] : [script];
}

const operandNames = (args: readonly Field[]) =>
  splitArguments(args, ['-n', '--names', '-c', '--config', '--max-parallel'])
    .operands.map(fieldText)
    .flatMap((word) => word.split(/\s/, 1));

const NODE = ['package.json'];
const MANIFESTS: readonly (readonly [programs: RegExp, manifest: Manifest])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, { files: NODE, asked: byManager }],
  [/^(?:npm-run-all2?|run-[sp]|start-server-and-test|wsrun)$/, { files: NODE, asked: operandNames }],
  [/^composer$/, { files: ['composer.json'], asked: byManager }],
  [
    /^deno$/,
    {
      files: ['deno.json', 'deno.jsonc', 'package.json'],
      asked: ([verb, ...rest]) => (verb?.head === 'task' ? operandNames(rest).slice(0, 1) : []),
    },
  ],
  [
    /^lint-staged$/,
    { files: ['package.json', '.lintstagedrc.json', '.lintstagedrc'], asked: () => [STAGED] },
  ],
];

/** What `lint-staged` runs for files that are to be committed. */
const STAGED = 'lint-staged';

export function manifestOf(name: string): Manifest | undefined {
  return MANIFESTS.find(([programs]) => programs.test(name))?.[1];
}

/** The command lines behind names of scripts, with those that run in front of and after them. */
export function namedScripts(text: string, names: readonly string[]): readonly string[] {
  const manifest = parsed(text);
  const scripts = new Map([...packageScripts(text), ...tasksOf(manifest)]);
  const found = [...scripts].filter(([name]) => names.some((each) => isAround(name, each)));
  const lines = found.map(([, line]) => line.replace(/^@(?:php|composer)\s/, (word) => word.slice(1)));
  const staged = names.includes(STAGED) ? stagedCommands(manifest) : [];
  return [...lines, ...wireitCommands(manifest, names), ...staged];
}

/** `prebuild` and `postbuild` run around `build`; a pattern stands for several names. */
function isAround(name: string, asked: string): boolean {
  if (asked.includes('*')) return fitsPattern(name.replaceAll(':', '/'), asked.replaceAll(':', '/'));
  return name === asked || name === `pre${asked}` || name === `post${asked}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '').replace(/^\s*\/\/.*$/gm, ''));
  } catch {
    return null;
  }
}

/** `tasks` of a deno.json: texts, or records with a command. */
function tasksOf(manifest: unknown): ReadonlyMap<string, string> {
  const tasks = isRecord(manifest) && isRecord(manifest.tasks) ? manifest.tasks : {};
  const texts = Object.entries(tasks).map(([name, task]) => [name, isRecord(task) ? task.command : task]);
  return scriptsOf({ scripts: Object.fromEntries(texts) });
}

/** What wireit runs for a script, and for those that it needs. */
function wireitCommands(manifest: unknown, names: readonly string[]): readonly string[] {
  const wireit = isRecord(manifest) && isRecord(manifest.wireit) ? manifest.wireit : {};
  const open = [...names];
  const seen = new Set<string>();
  const lines: string[] = [];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const script = wireit[name];
    if (seen.has(name) || !isRecord(script)) continue;
    seen.add(name);
    if (typeof script.command === 'string') lines.push(script.command);
    const needs = Array.isArray(script.dependencies) ? script.dependencies : [];
    open.push(
      ...needs
        .map((need) => (isRecord(need) ? need.script : need))
        .filter((need) => typeof need === 'string'),
    );
  }
  return lines;
}

function stagedCommands(manifest: unknown): readonly string[] {
  const settings = isRecord(manifest) && isRecord(manifest[STAGED]) ? manifest[STAGED] : manifest;
  if (!isRecord(settings)) return [];
  return Object.entries(settings)
    .filter(([pattern]) => /[*.]/.test(pattern))
    .flatMap(([, commands]) => commands)
    .filter((command) => typeof command === 'string');
}
