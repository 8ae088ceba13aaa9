import { relative, resolve } from 'node:path';
import { type DetectedGate, detectGates } from '../../decide/index.ts';
import { exitCodeOf } from '../../domain/exit.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { lstatOrNull } from '../../io/store/index.ts';
import { BUILT_IN_AGENTS } from '../../lib/agents.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { firstFew } from '../../lib/text.ts';
import { EXAMPLE_LIST } from '../../tasks/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { acceptTrust, checkTrust } from '../setup/check-trust.ts';
import { chooseAgents, installedAgents, installHint, isHere } from '../setup/choose-agent.ts';
import { IGNORE_RULES } from '../setup/ignore-rules.ts';
import { configText, listText } from '../setup/init/config-text.ts';
import { type FoundList, findLists, tasksIn } from '../setup/init/find-lists.ts';
import { hostsFor } from '../setup/init/hosts-for.ts';
import { seenFiles } from '../setup/init/seen-files.ts';
import { notTried, type TriedGate, tryGates } from '../setup/init/try-gates.ts';
import { type InitFile, type WrittenFiles, writeFiles } from '../setup/init/write-files.ts';
import { formatProblems, loadConfigFiles } from '../setup/load-config.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import type { ProjectInput } from '../setup/workspace.ts';

const LIST = '.ralph/PRD.md';
const CONFIG = '.ralph/ralph.toml';

/** What you may decide; `null`: what is found is taken. */
export type InitAnswers = {
  readonly agent: string | null;
  /** A file that holds tasks; `new`: none that is there. */
  readonly list: { readonly path: string } | 'new' | null;
  /** Titles for a new list. */
  readonly tasks: readonly string[];
  readonly gates: readonly DetectedGate[] | null;
};

/** What is known before anything is written. */
export type InitSurvey = {
  readonly agents: readonly string[];
  readonly gates: readonly DetectedGate[];
  readonly lists: readonly FoundList[];
  /** Whether a new list can be written: its file isn't there, or is put aside. */
  readonly newList: boolean;
  /** What is still to be decided: the others are there, or were given. */
  readonly open: { readonly agent: boolean; readonly gates: boolean; readonly tasks: boolean };
};

export type InitInput = ProjectInput & {
  readonly force: boolean;
  readonly given: InitAnswers;
  /** Asks you; `null`: you cancelled, and nothing is written. */
  readonly ask: ((survey: InitSurvey) => Promise<InitAnswers | null>) | null;
  /** Whether each gate is run once. */
  readonly tries: boolean;
  readonly onGate: (gate: DetectedGate) => void;
};

export type InitResult = DataOf<typeof init>;

/**
 * `ralph init`: writes `.ralph/` with what it finds (agents, gates, task list) and what you answer. Files that are there
 * stay, unless `--force`, which puts them aside first.
 */
export async function init(input: InitInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const { top: root, commonDir } = found;
  const { force, given } = input;
  const loaded = loadConfigFiles({ root, env: process.env, flags: {} });
  const wrong = unknownAgent(loaded, given.agent) ?? unusableTitle(given.tasks);
  if (wrong !== null) return wrong;
  const files = seenFiles(root);
  const detected = detectGates(files);
  const lists = await findLists(root, files);
  const keepsConfig = !force && lstatOrNull(resolve(root, CONFIG)) !== null;
  // Nothing is written beside a configuration that no command could read.
  if (keepsConfig && !loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor');
  const survey: InitSurvey = {
    agents: installedAgents(root),
    gates: detected.gates,
    lists,
    open: {
      agent: !keepsConfig && given.agent === null,
      gates: !keepsConfig && given.gates === null,
      tasks: given.list === null && needsList(root, lists, keepsConfig),
    },
    newList: force || lstatOrNull(resolve(root, LIST)) === null,
  };
  const answers = await answersOf(input, survey);
  if (answers === null) return cancelled('SIGINT');
  const list = await chosenList(input, root, answers, lists);
  if (!list.ok) return list;
  const chosen = keepsConfig ? [] : (answers.gates ?? detected.gates);
  const tried = await triedGates(input, root, chosen);
  if (!tried.ok) return tried;
  const agent = answers.agent ?? 'auto';
  const hosts = hostsFor(agent === 'auto' ? survey.agents.slice(0, 1) : [agent], files.paths);
  const config = { agent, gates: tried.gates, trackerPath: list.configured, hosts };
  const written = writtenFiles(root, force, [
    { path: 'ralph.toml', content: configText(config) },
    ...(list.text === null ? [] : [{ path: 'PRD.md', content: list.text }]),
    { path: '.gitignore', content: IGNORE_RULES },
  ]);
  if (!written.ok) return written;
  if (written.written.includes(CONFIG)) acceptOwn(root, commonDir);
  const { written: paths, kept, archived } = written;
  return success({
    ...{ root, written: paths, kept, archived },
    tracker: list.path,
    tasks: list.tasks,
    has_tasks: list.tasks > 0,
    agents: survey.agents,
    agent_needs: agentNeeds(root),
    gates: keepsConfig ? detected.gates.map(({ run }) => run) : inForce(tried.gates),
    checks: tried.gates,
    notes: [...list.remarks, ...otherLists(lists, list.path), ...(keepsConfig ? [] : detected.notes)],
  });
}

/** What has to be done before a run finds its agent; `null`: nothing. */
function agentNeeds(root: string): string | null {
  const loaded = loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return null;
  const chosen = chooseAgents(root, loaded.config);
  if (!chosen.ok) return chosen.next;
  const [{ name }] = chosen.adapters;
  return isHere(name, root, loaded.config) ? null : installHint(name);
}

/** Commands of the gates that aren't written as comments. */
function inForce(gates: readonly TriedGate[]): string[] {
  return gates.filter(({ result }) => result !== 'tool_missing').map(({ run }) => run);
}

/** Names the other lists with something to do, and how one of them is taken. */
function otherLists(lists: readonly FoundList[], own: string): string[] {
  const others = lists.filter(({ path, open }) => path !== own && open > 0);
  const [first] = others;
  if (first === undefined) return [];
  const named = others.map(({ path, open }) => `${path} (${open} open)`);
  return [
    `Other task lists: ${firstFew(named, 6)}. To work with one of them: [tracker] path = ${JSON.stringify(first.path)} in ${CONFIG}`,
  ];
}

function needsList(root: string, lists: readonly FoundList[], keepsConfig: boolean): boolean {
  // With a configuration of yours, which list counts is said there.
  return !keepsConfig && (lists.length > 0 || lstatOrNull(resolve(root, LIST)) === null);
}

async function answersOf({ given, ask }: InitInput, survey: InitSurvey): Promise<InitAnswers | null> {
  const { agent, gates, tasks } = survey.open;
  return ask === null || !(agent || gates || tasks) ? given : ask(survey);
}

function cancelled(signal: 'SIGINT' | 'SIGTERM'): Failure {
  return failure('Nothing was written.', null, exitCodeOf(signal));
}

function unusableTitle(titles: readonly string[]): Failure | null {
  const isOdd = titles.some((title) => title.trim() === '' || /[\r\n]/.test(title));
  return isOdd ? failure('The title of a task is one line of text.', 'ralph init --help') : null;
}

/** A name that no run could use. */
function unknownAgent(loaded: ReturnType<typeof loadConfigFiles>, name: string | null): Failure | null {
  const runners = loaded.ok ? Object.keys(loaded.config.runners) : [];
  const known = [...new Set(['auto', ...BUILT_IN_AGENTS, 'scripted', ...runners])];
  if (name === null || known.includes(name)) return null;
  return failure(
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, known)} Known: ${known.join(', ')}. A command of your own goes under [runners] in .ralph/ralph.toml.`,
    'ralph doctor --agents',
  );
}

type ChosenList = {
  readonly ok: true;
  readonly path: string;
  /** What `[tracker] path` has to say. */
  readonly configured: string | null;
  /** The new list. */
  readonly text: string | null;
  /** How many tasks it holds, and what of it is none. */
  readonly tasks: number;
  readonly remarks: readonly string[];
};

async function chosenList(
  { cwd, given, force }: InitInput,
  root: string,
  answers: InitAnswers,
  lists: readonly FoundList[],
): Promise<ChosenList | Failure> {
  const { list, tasks } = answers;
  if (list !== null && list !== 'new') {
    const path = relative(root, given.list === null ? resolve(root, list.path) : resolve(cwd, list.path));
    const found = await tasksIn(root, path);
    if (found.tasks === 0) {
      return failure(
        `${path} isn't a file with tasks. A task is a line such as "- [ ] Add a README".`,
        'ralph init --help',
      );
    }
    const isFirst = lists[0]?.path === path && lists[0].isUsual;
    return { ok: true, path, configured: isFirst ? null : path, text: null, ...found };
  }
  const [first] = lists;
  if (list === null && first !== undefined) {
    const configured = first.isUsual ? null : first.path;
    const { path, tasks: count, remarks } = first;
    return { ok: true, path, configured, text: null, tasks: count, remarks };
  }
  const isThere = !force && lstatOrNull(resolve(root, LIST)) !== null;
  if (isThere && tasks.length > 0) {
    return failure(`${LIST} is there already. Nothing was written.`, 'ralph tasks add "…"');
  }
  // Without tasks of its own, a run would pass over it.
  const configured = tasks.length === 0 && lists.length > 0 ? LIST : null;
  const text = tasks.length === 0 ? EXAMPLE_LIST : listText(tasks);
  return { ok: true, path: LIST, configured, text, tasks: tasks.length, remarks: [] };
}

/** Ctrl-C ends the gate and leaves nothing. */
async function triedGates(
  { tries, onGate }: InitInput,
  root: string,
  gates: readonly DetectedGate[],
): Promise<{ readonly ok: true; readonly gates: readonly TriedGate[] } | Failure> {
  if (!tries || gates.length === 0) return { ok: true, gates: gates.map(notTried) };
  const stop = listenForStop();
  try {
    const tried = await tryGates(root, gates, stop, onGate);
    const reason = stop.reason();
    return reason === null
      ? { ok: true, gates: tried }
      : failure('Nothing was written.', null, exitCodeOf(reason));
  } finally {
    stop.dispose();
  }
}

function writtenFiles(
  root: string,
  force: boolean,
  files: readonly InitFile[],
): ({ readonly ok: true } & WrittenFiles) | Failure {
  try {
    return { ok: true, ...writeFiles(root, files, force) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(
      `.ralph/ cannot be written: ${reason}`,
      'Check the permissions and the disk, then try again.',
      1,
    );
  }
}

/**
 * You asked for the gates that were just written, so no run has to ask again. Anything else that would run (a
 * template or scenario that lay there before) stays to be accepted.
 */
function acceptOwn(root: string, commonDir: string): void {
  const loaded = loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return;
  const stateHome = stateHomeOf(commonDir);
  const check = checkTrust({ root, stateHome, config: loaded.config, entries: loaded.entries() });
  if (check.kind !== 'untrusted' || check.items.some(({ kind }) => kind !== 'gate')) return;
  try {
    acceptTrust(stateHome, check);
  } catch {
    // Then the first run asks.
  }
}
