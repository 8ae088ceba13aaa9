import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { openIncidents } from '../../domain/incident.ts';
import { LESSON_FROM } from '../../domain/policy.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { loadTasks } from '../../loop/index.ts';
import { success } from '../result.ts';
import { inProject } from '../setup/project.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../setup/workspace.ts';
import { gatesIn } from './human/approvals.ts';
import { workers } from './workers.ts';

export type CompletionKind =
  | 'task'
  | 'blocked'
  | 'run'
  | 'gate'
  | 'agent'
  | 'checkpoint'
  | 'approval'
  | 'incident'
  | 'worker'
  | 'lesson'
  | 'proposal';

export type CompletionName = { readonly name: string; readonly description: string };

/** Returns all names of a kind for completion, the most likely first. Records nothing. */
export async function completionNames(input: ProjectInput, kind: CompletionKind) {
  if (kind === 'worker') {
    const found = await workers(input);
    if (!found.ok) return found;
    return named(found.data.workers.map(({ worker, title }) => [String(worker), title ?? '']));
  }
  if (kind === 'checkpoint')
    return inProject(input, async ({ git }) =>
      named((await git.checkpoints()).map(({ id, note }) => [id, note])),
    );
  if (kind === 'task' || kind === 'blocked')
    return inWorkspace(input, async (workspace) => {
      const loaded = await loadTasks({ ports: workspace });
      if (!loaded.ok) return named([]);
      const { state } = workspace.store;
      const tasks = loaded.tasks.filter(
        ({ id }) => kind === 'task' || taskStateOf(state, id).blocked !== null,
      );
      return named(tasks.map(({ id, title }) => [id, title]));
    });
  return inWorkspace(input, (workspace) => named(recorded(workspace, kind)));
}

type Recorded = Exclude<CompletionKind, 'worker' | 'checkpoint' | 'task' | 'blocked'>;

function recorded({ store, config, gates }: Workspace, kind: Recorded): [string, string][] {
  const { state } = store;
  switch (kind) {
    case 'run':
      return state.runs.toReversed().map(({ run, startedAt }) => [run, startedAt]);
    case 'gate':
      return gates.map(({ name, run }) => [name, run]);
    case 'agent':
      return [...new Set([...Object.keys(config.runners), ...BUILT_IN_AGENTS])].map((name) => [name, '']);
    case 'approval':
      return gatesIn(state).open.map(({ id, why }) => [id, why]);
    case 'incident':
      return openIncidents(state).map(({ id, summary }) => [id, summary]);
    case 'lesson':
      return state.policy.lessons
        .filter(({ count }) => count >= LESSON_FROM)
        .map(({ key, text }) => [key, text]);
    case 'proposal':
      return state.proposals.map(({ id, tasks }) => [id, tasks[0]?.title ?? '']);
  }
}

function named(pairs: readonly (readonly [string, string])[]) {
  return success({ names: pairs.map(([name, description]): CompletionName => ({ name, description })) });
}
