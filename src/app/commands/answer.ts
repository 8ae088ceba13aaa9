import { shareable } from 'ralph-kit/redact-deep';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { isBlocked, unblockRecords } from '../../decide/index.ts';
import { isReportedDone, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';
import { loadTasks } from '../../loop/index.ts';
import {
  type Asked,
  answerCommand,
  askedOf,
  asksQuestion,
  taskOption,
  YOUR_WORDS,
} from '../../tell/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { noteDoTask } from '../setup/do-task.ts';
import { secretsOf, wordsOnRecord } from '../setup/secrets-of.ts';
import { continueIn, inTaskList, type ProjectInput, type TaskList } from '../setup/workspace.ts';
import { placesIn } from './queue.ts';
import { namedTasks } from './tasks.ts';
import { removeMarks } from './unblock.ts';

export type AnswerInput = ProjectInput & {
  /** Id or number (from 1) of the task; `null` lists all questions. */
  readonly task: string | null;
  /** Your answer; if it is empty, the task's question is shown. */
  readonly text: string;
  /** Who answered in a chat; absent: you, on the machine. */
  readonly by?: string;
};

export type AnswerResult = DataOf<typeof answer>;

/** Answers an agent, which continues with your words; without a task, lists open questions, oldest first. */
export function answer({ task: name, text, by, ...input }: AnswerInput) {
  return inTaskList(input, async (list) => {
    const questions = askedIn(list);
    if (name === null) {
      noteDoTask(list.project, input.onNotice);
      return success({ asked: questions.map((one) => snakeKeys(one)) });
    }
    const named = namedTasks(list, [name]);
    if (!named.ok) return named;
    const [task] = named.tasks;
    if (task === undefined) return failure(`There is no task ${name}.`, 'ralph tasks');
    const words = text.trim();
    const refused = refusal(list, task, words, questions);
    return refused ?? answered(list, task, words, by ?? null);
  });
}

function askedIn({ project, tasks }: TaskList): readonly Asked[] {
  return shareable(askedOf(project.store.state, tasks), secretsOf(project.config));
}

/** Returns why a task can't be answered; `null`: it can. */
function refusal(
  { project, tracker }: TaskList,
  { id }: Task,
  words: string,
  questions: readonly Asked[],
): Failure | null {
  const own = questions.find(({ taskId }) => taskId === id);
  const [command = ''] = own?.commands ?? [];
  if (own?.kind === 'gate' || own?.kind === 'incident')
    return failure(`${id} waits for your decision: ${own.text}`, command);
  if (!isBlocked(project.store.state, tracker.tasks, id)) {
    const others = questions.map(({ taskId, text }) => `\n  ${taskId}: ${text}`).join('');
    const none = `${id} asks nothing.`;
    if (others === '') return failure(none, `ralph feedback add ${taskOption(id)} "${YOUR_WORDS}"`);
    return failure(`${none} You are asked:${others}`, 'ralph answer');
  }
  const isMissing = words === '' || words === YOUR_WORDS || words === '...';
  if (!isMissing) return null;
  const question = own?.text ?? taskStateOf(project.store.state, id).blocked?.detail ?? 'it is blocked';
  return failure(`Your answer is missing. ${id}: ${question}`, answerCommand(id));
}

async function answered(list: TaskList, { id, title }: Task, words: string, by: string | null) {
  const { project, tracker } = list;
  const { store } = project;
  const state = taskStateOf(store.state, id);
  const now = systemClock().now();
  // An attempt that asked continues; a task that failed too often starts a fresh series.
  const continues = asksQuestion(state) || isReportedDone(state);
  const unblocking = {
    taskId: id,
    strategy: null,
    reason: by === null ? 'answered' : `answered by ${by}`,
    timeoutSeconds: null,
    guidance: wordsOnRecord(project, { at: now, taskId: id }, words),
  };
  let isLate = false;
  store.commit((newest) => {
    isLate = !isBlocked(newest, tracker.tasks, id);
    if (isLate) return [];
    const options = { listed: tracker.tasks, automatic: false, fresh: false, continues };
    return unblockRecords([unblocking], { ...options, now });
  });
  if (isLate) return failure(`${id} isn't blocked any more. Nothing was changed.`, 'ralph answer');
  const warnings: string[] = [];
  await removeMarks(list, warnings);
  store.writeViews();
  // The list is read again after the marks are gone, as the next run will read it.
  const loaded = await loadTasks({ ports: project });
  const tasks = loaded.ok ? loaded.tasks : list.tasks;
  const place = placesIn({ ...list, tasks }).find(({ taskId }) => taskId === id);
  const next = await continueIn(project, tasks);
  return success({
    task: { id, title },
    continues,
    when: place?.why ?? null,
    running: next === null,
    warnings,
    next,
  });
}
