import { shareable } from 'ralph-kit/redact-deep';
import { snakeKeys } from 'ralph-kit/snake-keys';
import type { FeedbackEntry } from '../../../domain/feedback.ts';
import { systemClock } from '../../../io/clock.ts';
import { saysSomething, selectFeedback } from '../../../prompt/index.ts';
import { type DataOf, failure, success } from '../../result.ts';
import { secretsOf, wordsOnRecord } from '../../setup/secrets-of.ts';
import { inTaskList, inWorkspace, type ProjectInput, type Workspace } from '../../setup/workspace.ts';
import { namedTasks } from '../tasks.ts';

export type FeedbackInput = ProjectInput & {
  readonly action: 'add' | 'list' | 'clear';
  readonly text: string;
  readonly task: string | null;
};

export type FeedbackResult = DataOf<typeof feedback>;

const NO_TASK = { ok: true as const, tasks: [] };

export async function feedback(input: FeedbackInput) {
  const { action } = input;
  const about =
    input.task === null ? NO_TASK : await inTaskList(input, (list) => namedTasks(list, [input.task ?? '']));
  if (!about.ok) return about;
  const taskId = about.tasks[0]?.id ?? null;
  return inWorkspace(input, async (workspace) => {
    const { store, config } = workspace;
    const now = systemClock().now();
    if (action === 'add') {
      const words = input.text.trim();
      if (words === '')
        return failure('There is no text to add.', 'ralph feedback add "Use the existing parser"');
      const text = wordsOnRecord(workspace, { at: now, taskId }, words);
      const entry = { at: now, taskId, iteration: null, kind: 'guidance', source: 'person', text } as const;
      store.commit(() => [{ type: 'feedback_added', entry }]);
    }
    if (action === 'clear') store.commit(() => [{ type: 'feedback_cleared', source: 'person' }]);
    if (action !== 'list') store.writeViews();
    const entries = await carried(workspace, taskId, now);
    const shown = entries.map((entry) => ({ ...entry, text: shareable(entry.text, secretsOf(config)) }));
    const guidance = workspace.readFile(config.files.feedback) ?? '';
    const hasGuidance = saysSomething(guidance);
    return success({
      action,
      entries: shown.map(snakeKeys),
      guidance: hasGuidance ? config.files.feedback : null,
    });
  });
}

/** Returns feedback that will be in later prompts, for one task or for all tasks that aren't done. */
async function carried(
  { store, config, tracker }: Workspace,
  taskId: string | null,
  now: string,
): Promise<readonly FeedbackEntry[]> {
  const { state } = store;
  const rotationDays = config.interventions.feedback_rotation_days;
  const loaded = await tracker.load();
  const done = loaded.ok ? loaded.tasks.filter(({ status }) => status === 'done').map(({ id }) => id) : [];
  const listed = loaded.ok ? loaded.tasks.map(({ id }) => id) : [];
  const named = state.feedback.flatMap((entry) => entry.taskId ?? []);
  const open = new Set([...listed, ...named].filter((id) => !done.includes(id)));
  const tasks = taskId === null ? [...open, ''] : [taskId];
  const selected = new Set(
    tasks.flatMap((id) => selectFeedback(state.feedback, { taskId: id, now, rotationDays })),
  );
  return state.feedback.filter((entry) => selected.has(entry));
}
