import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBoxedOff } from 'ralph-box';
import type { FleetGit } from 'ralph-fleet/jobs';
import { runByHook } from '../../decide/index.ts';
import type { Git, Line, Work } from '../../domain/ports.ts';
import { FileTooLarge } from '../../git/index.ts';
import { type Failure, failure } from '../result.ts';
import { instructionPaths, planBox, showingIn } from './box.ts';
import { heldOutOf } from './held-out.ts';
import { openGitAt, realFolder } from './work-tree.ts';
import {
  expectedFailure,
  openWorkTree,
  type ProjectInput,
  type Workspace,
  withHandOff,
} from './workspace.ts';

export type Project = Workspace & {
  readonly git: Git & {
    readonly fleet: (remote: string) => FleetGit;
    readonly dropRefsApart: (kept: string | null) => Promise<void>;
  };
  readonly work: Work;
  readonly line: Line;
  /** Returns the planned isolation. The first call tests the box. */
  readonly box: () => ReturnType<typeof planBox>;
};

export async function openProject(input: ProjectInput): Promise<{ ok: true; project: Project } | Failure> {
  const folder = realFolder(input.cwd);
  if (!folder.ok) return folder;
  const opened = await openGitAt(folder.path);
  if (!opened.ok) return opened;
  const workspace = await openWorkTree(opened, input);
  if (!workspace.ok) return workspace;
  let planned: ReturnType<typeof planBox> | null = null;
  const box = () => {
    planned ??= planBox(workspace.project);
    return planned;
  };
  const settings = { includeIgnored: workspace.project.config.snapshot.include_ignored };
  const { root, stateHome, config, owner, workplace } = workspace.project;
  // No git worktree has a name that begins with a dot.
  const apart = owner === 'do' ? `.do-${workplace.worktree}` : input.separateRecords?.name;
  // Inside a run's box the state home is read-only, so git's files go where they vanish with the box.
  const place = isBoxedOff(stateHome) ? join(tmpdir(), 'ralph') : stateHome;
  const boxOfRun = () => {
    const plan = box();
    return plan.ok ? plan.box : null;
  };
  // A gate outside of the box doesn't see ignored files that are shown as a layer, so copies then have all of these
  // files.
  const isAllBoxed = workspace.project.gates.every((gate) => gate.box);
  const showing = (slots: string) => {
    if (boxOfRun() === null) return 'elsewhere';
    return isAllBoxed ? showingIn(root, slots) : 'whole';
  };
  const leftOut = () => instructionPaths(workspace.project);
  const heldOut = () => (boxOfRun() === null ? [] : heldOutOf(workspace.project.gates));
  const hooks = { box: boxOfRun, runs: runByHook };
  const copies = {
    showing,
    leftOut,
    heldOut,
    seed: config.box.seed,
    ...(apart === undefined ? {} : { placeName: apart }),
  };
  const git = await opened.git(place, settings, hooks, copies, owner === 'do' ? 'do' : undefined);
  const line = git.line({ commits: config.git.commit !== 'never' });
  return {
    ok: true,
    project: {
      ...workspace.project,
      git,
      box,
      line,
      get work() {
        return git.work(workspace.project.workplace.worker);
      },
    },
  };
}

/** Opens the repository and calls `work`. Returns a failure for errors of files, records and git. */
export async function inProject<R>(
  input: ProjectInput,
  work: (project: Project) => Promise<R>,
): Promise<R | Failure> {
  try {
    const opened = await openProject(input);
    if (!opened.ok) return opened;
    try {
      return await withHandOff(opened.project, input, () => work(opened.project));
    } finally {
      opened.project.git.close();
    }
  } catch (error) {
    if (error instanceof FileTooLarge) return failure(error.message, 'ralph doctor');
    return expectedFailure(error, input.cwd);
  }
}
