import { withoutNewSuppressions } from 'ralph-ecosystems';
import { asksToChange, type Thing } from 'ralph-kit/asks-to-change';
import { type GateBaseline, resultsBefore } from '../../domain/gate-baseline.ts';
import type { TextFiles } from '../../domain/ports.ts';
import { redNames } from '../../domain/test-results.ts';
import { type SplitChanges, settingsOfBefore } from '../../proof/shown/index.ts';
import type { JudgeContext } from '../context.ts';
import { textsOf } from './tree-files.ts';

type Trees = { readonly base: string; readonly tree: string };

/** A tree with the earlier requirements of a gate restored. `paths`: the restored files. */
type AsDemanded = { readonly tree: string; readonly files: TextFiles; readonly paths: readonly string[] };

/**
 * Restores the files by which a red gate set requirements before the work, unless the task asks to change them. If the
 * gate names or counts tests, these are its tests, their data and snapshots, and its settings; otherwise only settings
 * and suppressions, because the task may ask for the changed tests. Returns `null` if none of them changed.
 */
export async function asDemanded(
  { ports: { git } }: JudgeContext,
  split: SplitChanges,
  { gate, goal, baseline, oldTests }: Of,
  { base, tree }: Trees,
): Promise<AsDemanded | null> {
  const unasked = (thing: Thing) => split[thing].filter((path) => !asksToChange(goal, thing, path));
  const hasTests = namesOrCounts(baseline, gate);
  const settings = unasked('settings');
  const changedTests = hasTests ? [...unasked('tests'), ...unasked('snapshots'), ...unasked('data')] : [];
  const [was, is] = [await textsOf(git, base, settings), await textsOf(git, tree, settings)];
  const mixed = settings.flatMap((path) => {
    const text = settingsOfBefore(path, was.get(path) ?? null, is.get(path) ?? null);
    return text === null ? [] : [{ path, text }];
  });
  const files = [
    ...mixed.filter(({ path, text }) => text !== is.get(path)),
    ...(hasTests && !asksToChange(goal, 'tests') ? oldTests : []),
    ...(hasTests || asksToChange(goal, 'settings') ? [] : await unsuppressed(git, split, { base, tree })),
  ];
  const whole = [...changedTests, ...settings.filter((path) => mixed.every((one) => one.path !== path))];
  if (files.length === 0 && whole.length === 0) return null;
  const paths = [...new Set([...whole, ...files.map(({ path }) => path)])];
  return { tree: await git.compose({ base: tree, from: base, paths: whole }), files, paths };
}

type Of = {
  readonly gate: string;
  readonly goal: string;
  readonly baseline: GateBaseline | null;
  /** Code files that contain their tests, with the earlier tests. */
  readonly oldTests: TextFiles;
};

function namesOrCounts(baseline: GateBaseline | null, gate: string): boolean {
  const before = resultsBefore(baseline, gate);
  return redNames(before).length > 0 || (before?.tests?.failed ?? 0) > 0;
}

/** Returns changed files without suppressions that the change added. */
async function unsuppressed(
  git: JudgeContext['ports']['git'],
  { production, tests }: SplitChanges,
  { base, tree }: Trees,
): Promise<TextFiles> {
  const paths = [...production, ...tests];
  const [was, is] = [await textsOf(git, base, paths), await textsOf(git, tree, paths)];
  return [...is].flatMap(([path, now]) => {
    const text = withoutNewSuppressions(was.get(path) ?? '', now);
    return text === now ? [] : [{ path, text }];
  });
}
