import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import { type Git, GitError } from '../../domain/ports.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { workPlaceOf, workText } from '../../domain/work-place.ts';
import { type ChangedTrees, changedTrees } from '../records/changed-trees.ts';
import { type Attempt, type AttemptQuery, findAttempts } from '../records/find-attempts.ts';
import { iterationFolders, textOf } from '../records/iteration-files.ts';
import { taskWorkFailure } from '../records/kept-work.ts';
import { type DataOf, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type DiffInput = ProjectInput & AttemptQuery & { readonly show: 'patch' | 'stat' | 'names' };
export type DiffResult = DataOf<typeof diff>;

export function diff(input: DiffInput) {
  return inProject(input, async (project) => {
    const { which, task, show } = input;
    const named = taskWorkFailure(project, which ?? '');
    if (named !== null) return named;
    const found = findAttempts(project, input, 'ralph diff');
    const aside = taskStateOf(project.store.state, task ?? which ?? '').setAside;
    if (aside === null && !found.ok) return found;
    // Records of the attempts may be in another copy of the repository, or lost.
    const changed = found.ok ? await changedBy(project, found.attempts, show) : NO_RECORDS;
    if (aside === null || changed.files.length > 0) return success(changed);
    const { iterations, notes } = changed;
    const kept = { from: aside.base, to: aside.tree };
    return success({ ...(await between(project.git, kept, show)), iterations, notes });
  });
}

const NO_RECORDS = {
  show: 'patch' as DiffInput['show'],
  files: [],
  patch: '',
  iterations: [],
  notes: ['The records of its attempts are not here.'],
};

export async function changedBy(project: Project, attempts: readonly Attempt[], show: DiffInput['show']) {
  const iterations = attempts.map(({ iteration }) => iteration);
  try {
    const trees = await changedTrees(project.git, attempts);
    if (trees === null) return patchesOf(project, attempts, show);
    const notes = notesOf(project, attempts);
    return { ...(await between(project.git, trees, show)), iterations, notes };
  } catch (error) {
    // git gc removes old trees, so only the patches beside the records are left.
    if (!(error instanceof GitError)) throw error;
    return patchesOf(project, attempts, show);
  }
}

async function between(git: Git, { from, to }: Pick<ChangedTrees, 'from' | 'to'>, show: DiffInput['show']) {
  const snapshot = { head: null, branch: null };
  const { changes } = await git.diff({ ...snapshot, tree: from }, { ...snapshot, tree: to });
  const patch =
    show === 'patch' && changes.length > 0 ? await git.patchBetween(from, to, READ_PATCH_BYTES) : '';
  return {
    show,
    files: changes.map(({ path, oldPath, kind, binary, linesAdded, linesRemoved }) => ({
      path,
      old_path: oldPath,
      kind,
      binary,
      lines_added: linesAdded,
      lines_removed: linesRemoved,
    })),
    patch,
  };
}

function patchesOf({ folder }: Project, attempts: readonly Attempt[], show: DiffInput['show']) {
  const folders = iterationFolders(folder);
  const patches = attempts.map(({ iteration }) => {
    const folder = folders.find((one) => one.iteration === iteration);
    return folder === undefined ? '' : textOf(folder, 'changes.patch');
  });
  const patch = patches.join('');
  const paths = [...patch.matchAll(/^diff --git "?a\/(.+?)"? "?b\//gm)].map(([, path = '']) => path);
  const none = {
    old_path: null,
    kind: 'modified' as const,
    binary: false,
    lines_added: null,
    lines_removed: null,
  };
  return {
    show,
    files: [...new Set(paths)].map((path) => ({ path, ...none })),
    patch,
    iterations: attempts.map(({ iteration }) => iteration),
    notes: [
      "git doesn't hold the trees any more: these are the patches of the attempts, one after the other.",
    ],
  };
}

function notesOf({ store }: Project, attempts: readonly Attempt[]): string[] {
  const last = attempts.at(-1);
  const id = last?.started?.taskId;
  const place = id === undefined ? null : workText(workPlaceOf(store.state, id));
  return [
    ...(last !== undefined && last.ended === null
      ? [`#${last.iteration} has no end on record: this is what differs in its copy now.`]
      : []),
    ...(place === null ? [] : [place]),
  ];
}
