import { systemClock } from '../../../io/clock.ts';
import { shareable } from '../../../lib/shareable.ts';
import { snakeKeys } from '../../../lib/snake-keys.ts';
import { currentFeedback } from '../../../state/index.ts';
import { type DataOf, failure, success } from '../../result.ts';
import { inTaskList, inWorkspace, type ProjectInput } from '../../setup/project.ts';
import { secretsOf } from '../../setup/secrets-of.ts';
import { namedTasks } from '../tasks.ts';

export type FeedbackInput = ProjectInput & {
  readonly action: 'add' | 'list' | 'clear';
  /** To add. */
  readonly text: string;
  readonly task: string | null;
};

export type FeedbackResult = DataOf<typeof feedback>;

const NO_TASK = { ok: true as const, tasks: [] };

/** `ralph feedback add|list|clear`: your guidance, and what the loop reports to the agent. */
export async function feedback(input: FeedbackInput) {
  const { action } = input;
  const about =
    input.task === null ? NO_TASK : await inTaskList(input, (list) => namedTasks(list, [input.task ?? '']));
  if (!about.ok) return about;
  const taskId = about.tasks[0]?.id ?? null;
  return inWorkspace(input, ({ store, config }) => {
    const now = systemClock().now();
    if (action === 'add') {
      const text = input.text.trim();
      if (text === '')
        return failure('There is no text to add.', 'ralph feedback add "Use the existing parser"');
      const entry = { at: now, taskId, iteration: null, kind: 'guidance', source: 'person', text } as const;
      store.commit(() => [{ type: 'feedback_added', entry }]);
    }
    if (action === 'clear') store.commit(() => [{ type: 'feedback_cleared', source: 'person' }]);
    if (action !== 'list') store.writeViews();
    const entries = currentFeedback(store.state.feedback, {
      now,
      feedbackRotationDays: config.interventions.feedback_rotation_days,
    });
    const shown = entries.map((entry) => ({ ...entry, text: shareable(entry.text, secretsOf(config)) }));
    return success({ action, entries: shown.map(snakeKeys) });
  });
}
