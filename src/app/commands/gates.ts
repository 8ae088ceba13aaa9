import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { excerptOf } from 'ralph-kit/error-line';
import { didYouMean } from 'ralph-kit/nearest';
import { EXIT, exitCodeOf } from '../../domain/exit.ts';
import type { GateResult } from '../../domain/gate.ts';
import type { TreeCopy } from '../../domain/ports.ts';
import { ranNoTest } from '../../domain/test-results.ts';
import { openPorcelain } from '../../git/index.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { askThere, openLab } from '../../loop/index.ts';
import { notShownText } from '../../proof/gates/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { openPorts } from '../setup/ports.ts';
import { inProject, type Project } from '../setup/project.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { type ProjectInput, runLockHolder } from '../setup/workspace.ts';

export type GatesInput = ProjectInput & {
  /** Names of the gates to run; empty: all gates. */
  readonly names: readonly string[];
  readonly trust: TrustMode;
};

export type GatesResult = DataOf<typeof gates>;

/** Runs gates on the current work tree as a run would. Exit code 1 means that a gate isn't green. */
export function gates(input: GatesInput) {
  return inProject(input, async (project) => {
    const { root, stateHome, config, gates: all } = project;
    if (all.length === 0)
      return failure(
        'There are no gates.',
        existsSync(join(root, '.ralph', 'ralph.toml'))
          ? 'Name your checks in .ralph/ralph.toml: [gates] commands = ["npm test"]'
          : 'ralph init',
      );
    const unknown = input.names.find((name) => all.every((gate) => gate.name !== name));
    if (unknown !== undefined) {
      const known = all.map(({ name }) => name);
      return failure(
        `There is no gate ${unknown}.${didYouMean(unknown, known)} Known: ${known.join(', ')}.`,
        'ralph gates',
      );
    }
    if (runLockHolder(project) !== null)
      return failure('A run is active, and works in this tree.', 'ralph status', EXIT.locked);
    const untrusted = await requireTrust(
      { root, stateHome, config, entries: project.configEntries() },
      input.trust,
    );
    if (untrusted !== null) return untrusted;
    const planned = project.box();
    if (!planned.ok) return planned;
    const specs = input.names.length === 0 ? all : all.filter(({ name }) => input.names.includes(name));
    const stop = listenForStop();
    const { ports } = openPorts(project, stop, planned.box);
    const folder = mkdtempSync(join(tmpdir(), 'ralph-gates-'));
    try {
      const secrets = secretsOf(config);
      const copy = await copyOf(project);
      const place = { ports, config, root, secrets, lab: openLab() };
      const here = { place: 'checkout', commit: '', tree: '', folder, why: 'by-hand' } as const;
      const results = await askThere(place, specs, { ...here, copy: copy.mounted });
      const reason = stop.reason();
      if (reason !== null)
        return failure('The checks were stopped before their end.', null, exitCodeOf(reason));
      const shown = results.map(shownGate);
      const isGreen = shown.every(({ green }) => green);
      const links = isGreen ? [] : ports.proc.linksNotShown();
      /** Advice when links lead to files that the box doesn't show; `null`: none do, or all gates are green. */
      const hint = links.length === 0 ? null : notShownText(links, homedir());
      return success({ gates: shown, green: isGreen, hint }, isGreen ? EXIT.ok : EXIT.unexpected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      stop.dispose();
    }
  });
}

/** Copies the work tree for gates as a run does, with all changes committed. */
async function copyOf({ git, root }: Project): Promise<TreeCopy> {
  const now = await git.snapshot();
  const { head, branch } = now;
  const last = head === null ? null : await (await openPorcelain(root)).treeOf(head);
  if (head === null || last === null) return git.copyTree(now.tree);
  const tree = await git.compose({ base: last, from: now.tree, paths: await git.dirtyPaths(now) });
  const base = { commit: head, tree: last, branch, taskId: null };
  return git.copyTree(tree, { base, head: { message: 'Uncommitted work' } });
}

const NO_TEST = { run: 0, passed: 0, failed: 0, skipped: 0 };

function shownGate({ name, outcome, durationMs, outputTail, results }: GateResult) {
  const green = outcome.kind === 'passed';
  return {
    name,
    outcome,
    green,
    duration_ms: durationMs,
    tests: results?.tests ?? (results !== null && ranNoTest(results) ? NO_TEST : null),
    lines: green ? [] : [...excerptOf(outputTail, results?.failing, results?.places)],
  };
}
