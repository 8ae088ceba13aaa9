import picomatch from 'picomatch';
import { scriptsOf } from 'ralph-kit/formats/package-scripts';
import { isObject } from 'ralph-kit/is-object';
import { shellQuote } from 'ralph-kit/shell-quote';
import { byFile, testGate } from '../project.ts';
import type { Found, FoundGate, GateKind, Project, SeenFiles } from '../protocol.ts';
import { formOf, isPlaceholder, type ScriptForm } from './script.ts';

export const node: Project = {
  name: 'node',
  detect: nodeGates,
  settings: [
    {
      programs: /^_?mocha$/,
      files: ['js', 'cjs', 'mjs', 'yaml', 'yml', 'jsonc', 'json'].map((ending) => `.mocharc.${ending}`),
      part: null,
      vacuous: /["']?dry-?[rR]un["']?\s*:\s*true/,
      why: 'runs no test',
    },
    {
      programs: /^bun$/,
      files: ['bunfig.toml'],
      part: /^\[test\][^[]*/m,
      vacuous: /(?!)/,
      why: '',
    },
  ],
};

export const denoProject: Project = {
  name: 'deno',
  detect: byFile(['deno.json', 'deno.jsonc'], () => [testGate('deno', 'deno test')]),
};

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';
type Scripts = ReadonlyMap<string, string>;

/** Script names for each kind of check, in order of preference; the kinds run in this order. */
const GROUPS: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint', 'lint:check', 'lint:ci', 'eslint']],
  ['format', ['format:check', 'check:format', 'fmt:check', 'prettier:check', 'format-check']],
  ['types', ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc']],
  ['test', ['test', 'test:ci', 'test:run', 'test:unit', 'tests', 'unit']],
];

const LOCKS: readonly (readonly [Manager, readonly string[]])[] = [
  ['pnpm', ['pnpm-lock.yaml', 'pnpm-workspace.yaml']],
  ['yarn', ['yarn.lock', '.yarnrc.yml']],
  ['bun', ['bun.lock', 'bun.lockb']],
  ['npm', ['package-lock.json', 'npm-shrinkwrap.json']],
];

/** Returns gates from the scripts of package.json; from its workspaces if it has none. */
function nodeGates(files: SeenFiles): Found | null {
  const manifest = manifestAt(files, 'package.json');
  if (manifest === null) return null;
  const { manager, notes } = managerOf(files, manifest);
  const members = memberFolders(files, manifest).flatMap((folder) => {
    const member = manifestAt(files, `${folder}/package.json`);
    return member === null ? [] : [{ folder, scripts: scriptsOf(member) }];
  });
  const scripts = scriptsOf(manifest);
  const gates: FoundGate[] = [];
  const left: string[] = [];
  for (const [kind, names] of GROUPS) {
    const own = chosen(scripts, names);
    if (own !== null && own.form.kind !== 'unusable') {
      gates.push({
        kind,
        name: own.name,
        run: commandFor(manager, own.name, own.form),
        tool: manager,
      });
      continue;
    }
    if (own?.form.kind === 'unusable') left.push(notTaken('package.json', own.name, own.form.why));
    const run = memberRun(manager, isBerry(files, manifest), members, names, left);
    if (run !== null) gates.push({ kind, name: run.name, run: run.run, tool: manager });
  }
  return { gates, notes: [...(gates.length > 0 ? notes : []), ...left] };
}

/** Returns the command for a script of the top-level package.json; `null`: no such script. */
export function runsScript(files: SeenFiles, name: string): string | null {
  const manifest = manifestAt(files, 'package.json');
  if (manifest === null || !scriptsOf(manifest).has(name)) return null;
  return `${managerOf(files, manifest).manager} run ${name}`;
}

export function memberFolders(files: SeenFiles, manifest = manifestAt(files, 'package.json')): string[] {
  const given = isObject(manifest?.workspaces) ? manifest.workspaces.packages : manifest?.workspaces;
  const listed = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  const ofPnpm = /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(
    files.read('pnpm-workspace.yaml') ?? '',
  )?.[1];
  const more = [...(ofPnpm ?? '').matchAll(/^\s*-\s*['"]?([^'"#\n]+?)['"]?\s*(?:#.*)?$/gm)].map(
    ([, pattern = '']) => pattern,
  );
  const isMember = picomatch(
    [...listed, ...more]
      .filter((pattern) => !pattern.startsWith('!'))
      .map((pattern) => pattern.replace(/^\.\/|\/$/g, '')),
  );
  return [...files.paths].flatMap((path) => {
    const folder = path.endsWith('/package.json') ? path.slice(0, -'/package.json'.length) : '';
    return folder !== '' && isMember(folder) ? [folder] : [];
  });
}

function manifestAt(files: SeenFiles, path: string): Record<string, unknown> | null {
  if (!files.paths.has(path)) return null;
  try {
    const value: unknown = JSON.parse((files.read(path) ?? '').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function managerOf(
  { paths }: SeenFiles,
  { packageManager }: Record<string, unknown>,
): { readonly manager: Manager; readonly notes: readonly string[] } {
  const named = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  const known = LOCKS.find(([manager]) => manager === named)?.[0];
  if (known !== undefined) return { manager: known, notes: [] };
  const found = LOCKS.flatMap(([manager, names]) => {
    const lock = names.find((name) => paths.has(name));
    return lock === undefined ? [] : [{ manager, lock }];
  });
  const [first] = found;
  if (first === undefined) return { manager: 'npm', notes: [] };
  const several = found.map(({ lock }) => lock).join(', ');
  const note = `There are several lock files (${several}), and ${first.manager} is taken: "packageManager" in package.json says which one you use.`;
  return { manager: first.manager, notes: found.length > 1 ? [note] : [] };
}

/** Whether the project uses Yarn 2 or newer. */
function isBerry({ paths }: SeenFiles, { packageManager }: Record<string, unknown>): boolean {
  return paths.has('.yarnrc.yml') || /^yarn@(?:[2-9]|\d\d)/.test(String(packageManager ?? ''));
}

const PREFERENCE: readonly ScriptForm['kind'][] = ['as_it_is', 'with_ci', 'other', 'unusable'];

/** Returns the script best run as a gate; `null`: none exists. */
function chosen(
  scripts: Scripts,
  names: readonly string[],
): { readonly name: string; readonly form: ScriptForm } | null {
  const there = names.flatMap((name) => {
    const script = scripts.get(name);
    return script === undefined || isPlaceholder(script) ? [] : [{ name, form: formOf(script, scripts) }];
  });
  const rank = ({ form }: { readonly form: ScriptForm }) => PREFERENCE.indexOf(form.kind);
  return there.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

function commandFor(manager: Manager, name: string, form: ScriptForm): string {
  if (form.kind === 'other') return withRunner(manager, form.command);
  // `bun test` is bun's own test runner.
  const run = name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${shellQuote(name)}`;
  return form.kind === 'with_ci' ? `CI=1 ${run}` : run;
}

const EXECUTE: Readonly<Record<Manager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn run',
  bun: 'bunx',
};

/** The package manager finds programs in node_modules; variables stay first. */
function withRunner(manager: Manager, command: string): string {
  const [, variables = '', rest = ''] = /^((?:[A-Za-z_]\w*=\S*\s+)*)(.*)$/s.exec(command) ?? [];
  const isFound = /^(?:node|npx|bunx|bun|pnpm|yarn|npm|deno|python3?)\s/.test(rest);
  return isFound ? command : `${variables}${EXECUTE[manager]} ${rest}`;
}

type Member = { readonly folder: string; readonly scripts: Scripts };

/** Returns one command for all workspaces that have the script. */
function memberRun(
  manager: Manager,
  isBerry: boolean,
  members: readonly Member[],
  names: readonly string[],
  notes: string[],
): { readonly name: string; readonly run: string } | null {
  const having = members.flatMap(({ folder, scripts }) => {
    const script = chosen(scripts, names);
    return script === null ? [] : [{ folder, ...script }];
  });
  const [first] = having;
  if (first === undefined) return null;
  const { name } = first;
  const same = having.filter((one) => one.name === name);
  const bad = same.find(({ form }) => form.kind === 'other' || form.kind === 'unusable');
  if (bad !== undefined) {
    notes.push(notTaken(`${bad.folder}/package.json`, name, 'watches or changes files'));
    return null;
  }
  const quoted = shellQuote(name);
  const run = {
    npm: `npm ${name === 'test' ? 'test' : `run ${quoted}`} --workspaces --if-present`,
    pnpm: `pnpm -r run --if-present ${quoted}`,
    yarn: isBerry
      ? `yarn workspaces foreach --all run ${quoted}`
      : same.map(({ folder }) => `(cd ${shellQuote(folder)} && yarn run ${quoted})`).join(' && '),
    bun: `bun run --filter '*' ${quoted}`,
  }[manager];
  if (!same.some(({ form }) => form.kind === 'with_ci')) return { name, run };
  return { name, run: manager === 'yarn' && !isBerry ? `export CI=1; ${run}` : `CI=1 ${run}` };
}

function notTaken(file: string, name: string, why: string): string {
  return `${file}: the script ${JSON.stringify(name)} ${why}, so it isn't taken as a gate.`;
}
