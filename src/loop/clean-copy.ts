import { type GateResult, type GateSpec, NOT_TRIED } from '../domain/gate.ts';
import type { CleanCopy, Committed, TextFiles, TreeCopy, WorkBase } from '../domain/ports.ts';
import { isReformatted } from '../proof/shown/index.ts';
import { type GatePlace, runGates } from './run-gates.ts';
import { AS_SET_UP, setUpCopy, specOf } from './set-up.ts';

/** A tree to be tested: what is or would be on ralph's line. */
export type Tested = Committed & {
  readonly tree: string;
  /** Absolute, for the output of its set-up and its gates. */
  readonly folder: string;
};

/** What is tested of a base alone. */
export function testedBase(base: WorkBase, folder: string): Tested {
  return { base, tree: base.tree, head: { commit: base.commit }, folder };
}

/** What gates need of what git ignores: paths of the checkout, and what a command builds. */
export type Needs = { readonly keep: readonly string[]; readonly build: string | null };

/** What gates need, by the configuration and as far as it was found. */
export function needsOf(
  { ports: { store }, config }: Pick<GatePlace, 'ports' | 'config'>,
  { keep, build }: Needs = store.state.baseline?.needs ?? NOT_TRIED.needs,
): Needs {
  return { keep: [...config.gates.keep, ...keep], build };
}

/** How a clean copy is opened. `files`: of text, that are written into it besides; `outside`: for a gate that runs outside of the box. */
type Opening = {
  readonly needs?: Needs | undefined;
  readonly files?: TextFiles | undefined;
  readonly outside?: boolean;
};

/** Whether there is a box, and a gate runs outside of it. */
export function isOutside({ ports }: GatePlace, { box }: GateSpec): boolean {
  return ports.proc.isBoxed && !box;
}

/** Opens a copy in which no agent worked, with what is installed and what gates need of the rest. */
export async function openCleanCopy(
  context: GatePlace,
  { tree, base, head, folder }: Tested,
  { needs: { keep, build } = needsOf(context), files = [], outside = false }: Opening = {},
): Promise<TreeCopy> {
  const { git } = context.ports;
  const wanted: CleanCopy = { tree, base, head, keep, files, outside };
  let copy = await git.cleanCopy(wanted);
  const renew = async () => {
    copy.close();
    copy = await git.cleanCopy(wanted);
  };
  try {
    await setUpCopy(context, { copy: () => copy, renew }, tree, folder);
    if (build !== null) await runGates(context, copy.shown, [specOf(build)], folder, AS_BUILD);
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}

const AS_BUILD = { ...AS_SET_UP, log: 'build' };

type Options = {
  /** First part of the logs' names. */
  readonly log?: string;
  readonly needs?: Needs;
  readonly files?: TextFiles;
  /** Files that a gate has no business to write. */
  readonly watched?: readonly string[];
  /** Told of the copy once all ran. */
  readonly onEnd?: (copy: TreeCopy) => Promise<void>;
};

type Ran = { readonly results: GateResult[]; readonly made: readonly string[] };

/**
 * Runs gates on a tree in a clean copy, those outside of the box in one of their own. Where one changed what would land, the next ones
 * get it anew.
 */
export async function runOnTree(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  options: Options = {},
): Promise<Ran> {
  const parts = [false, true].map((outside) => specs.filter((spec) => isOutside(context, spec) === outside));
  const ran: Ran[] = [];
  for (const part of parts) if (part.length > 0) ran.push(await runInCopy(context, part, tested, options));
  const results = ran.flatMap((one) => one.results);
  return {
    results: specs.flatMap(({ name }) => results.find((one) => one.name === name) ?? []),
    made: [...new Set(ran.flatMap((one) => one.made))],
  };
}

/** @param specs All of one place. */
async function runInCopy(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  { log, needs, files, watched = [], onEnd }: Options,
): Promise<Ran> {
  const opening = { needs, files, outside: specs.some((spec) => isOutside(context, spec)) };
  let copy = await openCleanCopy(context, tested, opening);
  let written = copy.watch(watched);
  const made: string[] = [];
  const renew = async () => {
    const fresh = await copy.made();
    made.push(...fresh);
    const isTouched = (await copy.changed()).some(
      (path) => !fresh.some((one) => path === one || path.startsWith(`${one}/`)),
    );
    if (!isTouched) return copy.shown;
    copy.close();
    copy = await openCleanCopy(context, tested, opening);
    written = copy.watch(watched);
    return copy.shown;
  };
  try {
    const rewrote = () => rewrittenIn(context, tested.tree, written());
    const between = { renew, rewrote, ...(log === undefined ? {} : { log }) };
    const results = await runGates(context, copy.shown, specs, tested.folder, between);
    await onEnd?.(copy);
    return { results, made: [...new Set([...made, ...(await copy.made())])] };
  } finally {
    copy.close();
  }
}

/** Bytes of files that are compared. */
const COMPARED_BYTES = 8_000_000;

/** Written files that hold other code now, or what they held before. */
async function rewrittenIn(
  { ports: { git } }: GatePlace,
  tree: string,
  written: readonly { readonly path: string; readonly text: string | null }[],
): Promise<string[]> {
  if (written.length === 0) return [];
  const paths = new Set(written.map(({ path }) => path));
  const texts = await git.texts(tree, (path) => paths.has(path), COMPARED_BYTES);
  return written
    .filter(
      ({ path, text }) => !isReformatted(path, texts.find((one) => one.path === path)?.text ?? null, text),
    )
    .map(({ path }) => path);
}
