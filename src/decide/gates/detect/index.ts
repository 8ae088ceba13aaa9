import {
  type FoundGate,
  memberFolders,
  PROJECTS,
  runsScript,
  type SeenFiles,
  within,
} from 'ralph-ecosystems';
import { shellQuote } from 'ralph-kit/shell-quote';
import { type FoundTarget, TARGET_FILES, targetGates, targetsIn } from './targets.ts';

export type DetectedGate = Pick<FoundGate, 'name' | 'run' | 'otherwise'>;

const MAX_FOLDERS = 12;
const ASIDE =
  /(?:^|\/)(?:examples?|fixtures?|tests?|testdata|docs?|templates?|third[_-]?party|vendor|\.[^/]*)(?:\/|$)/i;

/**
 * Returns check commands for a repository by its files: scripts, targets of make and just, and usual commands of such
 * projects. `notes` name commands that were left out, and why.
 */
export function detectGates(files: SeenFiles): {
  readonly gates: readonly DetectedGate[];
  readonly notes: readonly string[];
} {
  const top = gatesIn(files);
  const members = new Set(memberFolders(files));
  const detected = [{ folder: '', ...top }];
  for (const folder of foldersOf(files)) {
    if (members.has(folder) || detected.length > MAX_FOLDERS) continue;
    const isCovered = detected.some((one) => one.folder !== '' && folder.startsWith(`${one.folder}/`));
    const here = isCovered ? null : gatesIn(within(files, folder), top.kinds);
    if (here !== null && here.gates.length > 0) detected.push({ folder, ...here });
  }
  const gates = detected.flatMap(({ folder, gates: ofFolder }) =>
    ofFolder.map((gate) => (folder === '' ? gate : inFolder(folder, gate))),
  );
  return { gates: named(gates), notes: detected.flatMap(({ notes }) => notes) };
}

function inFolder(folder: string, gate: FoundGate): FoundGate {
  const there = (command: string) => `cd ${shellQuote(folder)} && ${command}`;
  const { name, run, otherwise } = gate;
  return { ...gate, name: `${folder} ${name}`, run: there(run), otherwise: otherwise && there(otherwise) };
}

function foldersOf({ paths }: SeenFiles): string[] {
  const folders = new Set(
    [...paths].flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])),
  );
  return [...folders]
    .filter((folder) => folder.split('/').length <= 2 && !ASIDE.test(folder))
    .sort((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1));
}

/**
 * Returns the gates by the files of one folder.
 * @param without Kinds of projects that were already found in a folder around it.
 */
function gatesIn(files: SeenFiles, without: ReadonlySet<string> = new Set()) {
  const kinds = new Set<string>(without);
  const scripts: FoundGate[] = [];
  const usual: FoundGate[] = [];
  const notes: string[] = [];
  for (const { name, detect } of PROJECTS) {
    const found = without.has(name) ? null : detect(files);
    if (found === null) continue;
    if (found.gates.length > 0) kinds.add(name);
    notes.push(...found.notes);
    // Your own scripts are preferred to usual commands.
    for (const gate of found.gates)
      (['npm', 'pnpm', 'yarn', 'bun', 'composer'].includes(gate.tool) ? scripts : usual).push(gate);
  }
  const targets = targetGates(files).filter((target) => !scripts.some((gate) => calls(target, gate)));
  const left = usual.filter((gate) => !targets.some((target) => calls(target, gate)));
  const order = ['lint', 'format', 'types', 'test'];
  const gates = [...scripts, ...left, ...targets.map(({ gate }) => gate)].sort(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind),
  );
  return { gates, notes, kinds };
}

/** A target that runs the same command, or one of the same kind with the same tool, is the same check. */
function calls({ gate, recipe }: FoundTarget, other: FoundGate): boolean {
  return gate.kind === other.kind && new RegExp(String.raw`(?:^|[\s@/])${other.tool}\b`).test(recipe);
}

function named(gates: readonly FoundGate[]): DetectedGate[] {
  const used = new Set<string>();
  return gates.map(({ name, run, otherwise, tool }) => {
    let own = name;
    if (used.has(own)) own = `${tool} ${name}`;
    for (let number = 2; used.has(own); number += 1) own = `${tool} ${name} ${number}`;
    used.add(own);
    return { name: own, run, otherwise };
  });
}

const RECIPES: ReadonlySet<string> = new Set(['package.json', ...TARGET_FILES]);

export function isRecipe(path: string): boolean {
  return RECIPES.has(path);
}

/** Returns a project's build commands, the likeliest first, from the files that `isRecipe` names. */
export function buildsOf(files: SeenFiles): readonly string[] {
  const made = targetsIn(files).filter(({ recipes }) => recipes.has('build'));
  return [runsScript(files, 'build') ?? [], made.map(({ tool }) => `${tool} build`)].flat();
}
