import type { MountedCopy } from 'ralph-box/protocol';
import type { CommandRun, Purpose, PutIn } from '../domain/command-run.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { TextFiles, TreeCopy } from '../domain/ports.ts';
import { isReformatted } from '../proof/shown/index.ts';
import { isOutside, type Needs, needsOf, openBare, type Tested } from './clean-copy.ts';
import { type GatePlace, start } from './start.ts';

export type LabQuestion = {
  readonly why: Purpose;
  readonly needs?: Needs;
  readonly files?: TextFiles;
  readonly canary?: PutIn['canary'];
  readonly mutant?: PutIn['mutant'];
  readonly ignored?: { readonly paths: readonly string[]; readonly from: MountedCopy };
  /** Files that a gate shouldn't write. */
  readonly watched?: readonly string[];
  /** Called with the copy after the last command, unless all results were already known. */
  readonly onEnd?: (copy: TreeCopy) => Promise<void>;
};

type LabAnswer = { readonly results: CommandRun[]; readonly createdPaths: readonly string[] };

/**
 * Runs gates, checks and set-up commands; nothing else starts them. They share a clean copy, which is replaced after a
 * command that changed a file that would land. Commands outside of the box have a copy of their own.
 */
export async function ask(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  asked: LabQuestion,
): Promise<LabAnswer> {
  const parts = [false, true].map((outside) => specs.filter((spec) => isOutside(context, spec) === outside));
  const ran: LabAnswer[] = [];
  for (const part of parts) if (part.length > 0) ran.push(await askInCopy(context, part, tested, asked));
  const results = ran.flatMap((one) => one.results);
  return {
    results: specs.flatMap(({ name }) => results.find((one) => one.name === name) ?? []),
    createdPaths: [...new Set(ran.flatMap((one) => one.createdPaths))],
  };
}

async function askInCopy(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  {
    why,
    needs = needsOf(context),
    files = [],
    canary = null,
    mutant = null,
    ignored,
    watched = [],
    onEnd,
  }: LabQuestion,
): Promise<LabAnswer> {
  const { lab, config } = context;
  const opening = { needs, files, outside: specs.some((spec) => isOutside(context, spec)) };
  const open = async () => {
    const bare = await openBare(context, tested, opening);
    if (ignored !== undefined) bare.copy().bring(ignored.paths, ignored.from);
    return bare;
  };
  const bare = await open();
  const { base, head, tree, folder } = tested;
  const all = { base, head, tree, opening, ignored: bare.copy().ignored, setup: config.gates.setup, watched };
  // Results with added ignored files aren't reused, because the contents of these files are unknown.
  const keyOf = (spec: GateSpec) => (ignored === undefined ? JSON.stringify([all, spec]) : null);
  const answered = specs
    .flatMap((spec) => lab.answer(keyOf(spec), why) ?? [])
    .map((run) => ({ ...run, why }));
  for (const run of answered) lab.note(folder, { key: null, run });
  const unanswered = specs.filter(({ name }) => answered.every((run) => run.name !== name));
  if (unanswered.length === 0) {
    bare.copy().close();
    return { results: answered, createdPaths: [] };
  }
  await bare.prepared();
  let copy = bare.copy();
  let written = copy.watch(watched);
  const created: string[] = [];
  const renew = async () => {
    const fresh = await copy.createdPaths();
    created.push(...fresh);
    const isTouched = (await copy.changed()).some(
      (path) => !fresh.some((one) => path === one || path.startsWith(`${one}/`)),
    );
    if (!isTouched) return copy.mounted;
    copy.close();
    const anew = await open();
    await anew.prepared();
    copy = anew.copy();
    written = copy.watch(watched);
    return copy.mounted;
  };
  try {
    const brought = ignored?.paths ?? [];
    const isPut = files.length > 0 || brought.length > 0;
    const put = isPut
      ? { files: files.map(({ path }) => path), ignored: [...brought], canary, mutant }
      : null;
    const place = {
      copy: copy.mounted,
      place: 'clean',
      commit: base.commit,
      tree,
      folder,
      why,
      put,
    } as const;
    const rewrote = () => rewrittenIn(context, tree, written());
    const results = await start(context, unanswered, place, { renew, rewrote, keyOf });
    await onEnd?.(copy);
    return {
      results: [...answered, ...results],
      createdPaths: [...new Set([...created, ...(await copy.createdPaths())])],
    };
  } finally {
    copy.close();
  }
}

/** Maximum number of bytes of the files that are compared. */
const COMPARED_BYTES = 8_000_000;

/** Returns written files whose code differs from the tree. A file that was only reformatted isn't one. */
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
