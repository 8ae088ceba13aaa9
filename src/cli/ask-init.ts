import { cancel, intro, isCancel, multiselect, select, text } from '@clack/prompts';
import type { InitAnswers, InitSurvey } from '../app/commands/init.ts';
import { BUILT_IN_AGENTS } from '../domain/agents.ts';
import { printable } from '../io/ui/index.ts';
import { counted } from '../lib/counted.ts';

/** Ctrl-C or Escape at a question. */
class Cancelled extends Error {}

/** Asks what `ralph init` can't find out itself; `null`: you cancelled. */
export async function askInit(found: InitSurvey, given: InitAnswers): Promise<InitAnswers | null> {
  const survey = printable(found);
  intro('ralph init');
  try {
    const { list, tasks } = survey.open.tasks ? await askTasks(found, survey) : given;
    const agent = survey.open.agent ? await askAgent(survey) : given.agent;
    const gates = survey.open.gates ? await askGates(found, survey) : given.gates;
    return { agent, list, tasks, gates };
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    cancel('Cancelled.');
    return null;
  }
}

async function answered<T>(answer: Promise<T>): Promise<Exclude<T, symbol>> {
  const value = await answer;
  if (isCancel(value)) throw new Cancelled();
  return value as Exclude<T, symbol>;
}

/** An index, as a name with odd characters is shown otherwise than it is. */
const NEW_LIST = -1;

async function askTasks(
  found: InitSurvey,
  { lists }: InitSurvey,
): Promise<Pick<InitAnswers, 'list' | 'tasks'>> {
  const index =
    lists.length === 0
      ? NEW_LIST
      : await answered(
          select<number>({
            message: 'Which task list?',
            options: [
              ...lists.map(({ path, tasks }, value) => ({
                value,
                label: path,
                hint: counted(tasks, 'task'),
              })),
              { value: NEW_LIST, label: 'A new one, .ralph/PRD.md' },
            ],
          }),
        );
  const list = found.lists[index]?.path;
  if (list !== undefined) return { list: { path: list }, tasks: [] };
  const tasks: string[] = [];
  for (;;) {
    const message =
      tasks.length === 0
        ? 'What is the first task? (Enter: write them later)'
        : 'And then? (Enter: that is all)';
    const title = (await answered(text({ message, placeholder: 'Add a README', defaultValue: '' }))).trim();
    if (title === '') return { list: 'new', tasks };
    tasks.push(title);
  }
}

function askAgent({ agents }: InitSurvey): Promise<string> {
  const [first] = agents;
  const auto = first === undefined ? 'none is installed yet' : `now ${first}`;
  return answered(
    select<string>({
      message: 'Which agent?',
      options: [
        { value: 'auto', label: 'auto: the first that is installed', hint: auto },
        ...agents.map((name) => ({ value: name, label: name, hint: 'installed' })),
        ...BUILT_IN_AGENTS.filter((name) => !agents.includes(name)).map((name) => ({
          value: name,
          label: name,
          hint: 'not installed',
        })),
      ],
    }),
  );
}

async function askGates(found: InitSurvey, { gates }: InitSurvey): Promise<InitAnswers['gates']> {
  if (gates.length === 0) {
    const message = 'Which command checks the work? (Enter: none)';
    const run = (await answered(text({ message, placeholder: 'npm test', defaultValue: '' }))).trim();
    return run === '' ? [] : [{ name: run, run }];
  }
  const chosen = await answered(
    multiselect<number>({
      message: 'Which checks must pass before a task is done?',
      options: gates.map(({ name, run }, value) => ({
        value,
        label: run,
        ...(run.endsWith(name) ? {} : { hint: name }),
      })),
      initialValues: gates.map((_, index) => index),
      required: false,
    }),
  );
  return found.gates.filter((_, index) => chosen.includes(index));
}
