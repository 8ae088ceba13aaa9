import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { counted } from 'ralph-kit/counted';
import type { InitAnswers, InitSurvey } from '../app/commands/init.ts';
import { installHint } from '../app/setup/choose-agent.ts';
import { printable } from '../io/ui/index.ts';
import { type Answer, type Place, questionsAt, STOPPED } from './ask.ts';

class Cancelled extends Error {}

/** Asks for what `ralph init` can't detect. Returns `null` if you cancel. */
export async function askInit(
  found: InitSurvey,
  preset: InitAnswers,
  color: boolean,
): Promise<InitAnswers | null> {
  const questions = questionsAt({ input: process.stdin, output: process.stdout, color });
  const survey = printable(found);
  questions.intro('ralph init');
  try {
    const { list, tasks } = survey.open.tasks ? await askTasks(questions, found, survey) : preset;
    const agent = survey.open.agent ? await askAgent(questions, survey) : preset.agent;
    const gates = survey.open.gates ? await askGates(questions, found, survey) : preset.gates;
    return { agent, list, tasks, gates };
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    questions.cancel('Cancelled.');
    return null;
  }
}

type Questions = ReturnType<typeof questionsAt>;

async function answered<T>(answer: Promise<Answer<T>>): Promise<T> {
  const value = await answer;
  if (value === STOPPED || value === null) throw new Cancelled();
  return value;
}

/**
 * Value of the choice "new list". Choices are indexes, because names with unusual characters are changed for the
 * screen.
 */
const NEW_LIST = -1;

async function askTasks(
  { select, line }: Questions,
  survey: InitSurvey,
  { lists, newList }: InitSurvey,
): Promise<Pick<InitAnswers, 'list' | 'tasks'>> {
  const choices = [
    ...lists.map(({ path, tasks }, value) => ({ value, label: path, hint: counted(tasks, 'task') })),
    ...(newList ? [{ value: NEW_LIST, label: 'A new one, .ralph/PRD.md' }] : []),
  ];
  const [only] = choices.length === 1 ? choices : [];
  const index = only?.value ?? (await answered(select<number>('Which task list?', choices)));
  const list = survey.lists[index]?.path;
  if (list !== undefined) return { list: { path: list }, tasks: [] };
  const tasks: string[] = [];
  for (;;) {
    const message =
      tasks.length === 0
        ? 'What is the first task? (Enter: write them later)'
        : 'And then? (Enter: that is all)';
    const title = await answered(line(message, 'Add a README'));
    if (title === '') return { list: 'new', tasks };
    tasks.push(title);
  }
}

function askAgent({ select }: Questions, { agents }: InitSurvey): Promise<string> {
  const [first] = agents;
  const auto = first === undefined ? 'none is installed yet' : `now ${first}`;
  return answered(
    select<string>('Which agent?', [
      { value: 'auto', label: 'auto: the first that is installed', hint: auto },
      ...agents.map((name) => ({ value: name, label: name, hint: 'installed' })),
      ...BUILT_IN_AGENTS.filter((name) => !agents.includes(name)).map((name) => ({
        value: name,
        label: name,
        hint: installHint(name),
      })),
    ]),
  );
}

/** Asks which installed agent does a task; `null`: you cancelled. */
export async function askInstalled(names: readonly string[], place: Place): Promise<string | null> {
  const options = names.map((name) => ({ value: name, label: name }));
  const answer = await questionsAt(place).select<string>('Which agent?', options);
  return answer === STOPPED ? null : answer;
}

async function askGates(
  { line, several }: Questions,
  survey: InitSurvey,
  { gates }: InitSurvey,
): Promise<InitAnswers['gates']> {
  if (gates.length === 0) {
    const message = 'Which command checks the work? (Enter: none)';
    const run = await answered(line(message, 'npm test'));
    return run === '' ? [] : [{ name: run, run }];
  }
  const chosen = await answered(
    several<number>(
      'Which checks must pass before a task is done?',
      gates.map(({ name, run }, value) => ({
        value,
        label: run,
        ...(run.endsWith(name) ? {} : { hint: name }),
      })),
    ),
  );
  return survey.gates.filter((_, index) => chosen.includes(index));
}
