import { relative, resolve } from 'node:path';
import { ADAPTERS } from 'ralph-agents';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { PACKAGE_HOSTS } from 'ralph-ecosystems';
import { accessCommand } from 'ralph-kit/files/access-command';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readPlainFile } from 'ralph-kit/files/plain-file';
import { didYouMean } from 'ralph-kit/nearest';
import { nameOf } from 'ralph-kit/paths';
import { firstFew } from 'ralph-kit/text';
import { EXAMPLE_LIST } from 'ralph-task-lists';
import { type DetectedGate, detectGates } from '../../decide/index.ts';
import { EXIT, exitCodeOf } from '../../domain/exit.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { acceptTrust, checkTrust } from '../setup/check-trust.ts';
import { chooseAgents, installedAgents, installHint, isAgentInstalled } from '../setup/choose-agent.ts';
import { IGNORE_RULES } from '../setup/ignore-rules.ts';
import { configText, listText } from '../setup/init/config-text.ts';
import { type FoundList, findLists, tasksIn, withTrackerPath } from '../setup/init/find-lists.ts';
import { seenFiles } from '../setup/init/seen-files.ts';
import { notTried, type TriedGate, tryGates } from '../setup/init/try-gates.ts';
import { type InitFile, type WrittenFiles, writeFiles } from '../setup/init/write-files.ts';
import { formatProblems, loadConfigFiles } from '../setup/load-config.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import type { ProjectInput } from '../setup/workspace.ts';

const LIST = '.ralph/PRD.md';
const CONFIG = '.ralph/ralph.toml';

/** Your answers for `ralph init`; `null`: it takes what it detects. */
export type InitAnswers = {
  readonly agent: string | null;
  /** An existing task list, or `new` for a new one. */
  readonly list: { readonly path: string } | 'new' | null;
  /** Titles of the tasks in a new list. */
  readonly tasks: readonly string[];
  readonly gates: readonly DetectedGate[] | null;
};

/** Facts that `ralph init` detects before it writes anything. */
export type InitSurvey = {
  readonly agents: readonly string[];
  readonly gates: readonly DetectedGate[];
  readonly lists: readonly FoundList[];
  /** Whether a new list may be written: there is none at its place, or it will be archived first. */
  readonly newList: boolean;
  /** Questions that are still open. The other settings exist already, or you gave them. */
  readonly open: { readonly agent: boolean; readonly gates: boolean; readonly tasks: boolean };
};

export type InitInput = ProjectInput & {
  readonly force: boolean;
  readonly preset: InitAnswers;
  /** Asks you; `null`: there is no terminal. The answer `null` means that you cancelled, so nothing is written. */
  readonly ask: ((survey: InitSurvey) => Promise<InitAnswers | null>) | null;
  /** Whether each gate is run once as a trial. */
  readonly tries: boolean;
  readonly onGate: (gate: DetectedGate) => void;
};

export type InitResult = DataOf<typeof init>;

/**
 * `ralph init`: writes `.ralph/` with the detected agents, gates and task list, and with your answers. Existing files
 * stay, unless `--force` archives and replaces them. A list that you name is also entered into an existing
 * configuration.
 */
export async function init(input: InitInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const { top: root, commonDir } = found;
  const { force, preset } = input;
  const loaded = await loadConfigFiles({ root, env: process.env, flags: {} });
  const wrong = unknownAgent(loaded, preset.agent) ?? unusableTitle(preset.tasks);
  if (wrong !== null) return wrong;
  const way = accessCommand(resolve(root, CONFIG), 'read');
  if (way !== null) return failure(".ralph/ can't be used. Nothing was written.", way, EXIT.unexpected);
  const files = seenFiles(root);
  const detected = detectGates(files);
  const lists = await findLists(root, files);
  const keepsConfig = !force && lstatOrNull(resolve(root, CONFIG)) !== null;
  // If no command can read the existing configuration, no file is added to it.
  if (keepsConfig && !loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor');
  const survey: InitSurvey = {
    agents: installedAgents(root),
    gates: detected.gates,
    lists,
    open: {
      agent: !keepsConfig && preset.agent === null,
      gates: !keepsConfig && preset.gates === null,
      tasks: preset.list === null && needsList(root, lists, keepsConfig),
    },
    newList: force || lstatOrNull(resolve(root, LIST)) === null,
  };
  const answers = await answersOf(input, survey);
  if (answers === null) return cancelled('SIGINT');
  const list = await chosenList(input, root, answers, lists);
  if (!list.ok) return list;
  const isOther =
    keepsConfig && preset.list !== null && loaded.ok && loaded.config.tracker.path !== list.path;
  const config = isOther ? configWith(root, list.path) : null;
  if (isOther && config === null)
    return failure(
      `${CONFIG} can't be changed safely.`,
      `Set [tracker] path = ${JSON.stringify(list.path)} in ${CONFIG}.`,
    );
  const chosen = keepsConfig ? [] : (answers.gates ?? detected.gates);
  const tried = await triedGates(input, root, chosen);
  if (!tried.ok) return tried;
  const agent = answers.agent ?? 'auto';
  const hosts = hostsFor(agent === 'auto' ? survey.agents.slice(0, 1) : [agent], files.paths);
  const settings = { agent, gates: tried.gates, trackerPath: list.configured, hosts };
  const written = writtenFiles(root, force, [
    { path: 'ralph.toml', content: configText(settings) },
    ...(list.text === null ? [] : [{ path: 'PRD.md', content: list.text }]),
    { path: '.gitignore', content: IGNORE_RULES },
  ]);
  if (!written.ok) return written;
  if (written.written.includes(CONFIG)) await acceptOwn(root, commonDir);
  if (config !== null) replaceFile(resolve(root, CONFIG), config);
  const { archived } = written;
  const kept = written.kept.filter((path) => config === null || path !== CONFIG);
  const paths = config === null ? written.written : [CONFIG, ...written.written];
  const needed = await agentNeeds(root);
  const made = {
    root,
    written: paths,
    kept,
    archived,
    tracker: list.path,
    tasks: list.tasks,
    has_tasks: list.tasks > 0,
    agents: survey.agents,
    agent_needs: needed?.text ?? null,
    /** Commands that install agents, if a run would find none. */
    installs: needed?.installs ?? [],
    gates: keepsConfig ? detected.gates.map(({ run }) => run) : inForce(tried.gates),
    checks: tried.gates,
    notes: [...list.remarks, ...otherLists(lists, list.path), ...(keepsConfig ? [] : detected.notes)],
  };
  // Without a terminal a script continues: it has to know that no run can start yet.
  return success(made, made.installs.length === 0 || input.ask !== null ? EXIT.ok : EXIT.usage);
}

type Needed = {
  readonly text: string;
  /** Commands that install built-in agents; empty: no installation would let a run start. */
  readonly installs: readonly { readonly name: string; readonly command: string }[];
};

/** Returns what you have to do before a run finds its agent; `null`: nothing. */
async function agentNeeds(root: string): Promise<Needed | null> {
  const loaded = await loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return null;
  const installs = BUILT_IN_AGENTS.map((name) => ({ name, command: installHint(name) }));
  const chosen = chooseAgents(root, loaded.config);
  if (!chosen.ok) {
    const isAuto = loaded.config.loop.agent === 'auto';
    return isAuto
      ? { text: 'Install one of these agents:', installs }
      : { text: chosen.message, installs: [] };
  }
  const [{ name }] = chosen.adapters;
  if (isAgentInstalled(name, root, loaded.config)) return null;
  const own = installs.filter((one) => one.name === name);
  return { text: `Install ${name}${own.length === 0 ? '.' : ':'}`, installs: own };
}

/** Returns the commands of gates that are written as active, not as comments. */
function inForce(gates: readonly TriedGate[]): string[] {
  return gates.filter(({ result }) => result !== 'tool_missing').map(({ run }) => run);
}

/** Returns the existing configuration with this task list; `null`: the change isn't safe, so you have to make it. */
function configWith(root: string, list: string): string | null {
  const now = readPlainFile(resolve(root, CONFIG));
  return now.kind === 'file' ? withTrackerPath(now.bytes.toString('utf8'), list) : null;
}

/** Returns a note about other lists with open tasks, and how to use one of them. */
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
  // An existing configuration decides which list counts, so there is no need to ask.
  return !keepsConfig && (lists.length > 0 || lstatOrNull(resolve(root, LIST)) === null);
}

async function answersOf({ preset, ask }: InitInput, survey: InitSurvey): Promise<InitAnswers | null> {
  const { agent, gates, tasks } = survey.open;
  return ask === null || !(agent || gates || tasks) ? preset : ask(survey);
}

function cancelled(signal: 'SIGINT' | 'SIGTERM'): Failure {
  return failure('Nothing was written.', null, exitCodeOf(signal));
}

function unusableTitle(titles: readonly string[]): Failure | null {
  const isOdd = titles.some((title) => title.trim() === '' || /[\r\n]/.test(title));
  return isOdd ? failure('The title of a task is one line of text.', 'ralph init --help') : null;
}

/** Returns a failure if no run could use an agent with this name; `null`: it is known. */
function unknownAgent(
  loaded: Awaited<ReturnType<typeof loadConfigFiles>>,
  name: string | null,
): Failure | null {
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
  /** Value to write as `[tracker] path`; `null`: none is needed. */
  readonly configured: string | null;
  /** Text of a new list; `null`: the list exists. */
  readonly text: string | null;
  /** Number of tasks in the list. `remarks`: lines that look like tasks but aren't. */
  readonly tasks: number;
  readonly remarks: readonly string[];
};

async function chosenList(
  { cwd, preset, force }: InitInput,
  root: string,
  answers: InitAnswers,
  lists: readonly FoundList[],
): Promise<ChosenList | Failure> {
  const { list, tasks } = answers;
  if (list !== null && list !== 'new') {
    const path = relative(root, preset.list === null ? resolve(root, list.path) : resolve(cwd, list.path));
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
  // A list without tasks has to be configured, because a run would otherwise use another list.
  const configured = tasks.length === 0 && lists.length > 0 ? LIST : null;
  const text = tasks.length === 0 ? EXAMPLE_LIST : listText(tasks);
  return { ok: true, path: LIST, configured, text, tasks: tasks.length, remarks: [] };
}

/** Tries the gates. On Ctrl-C, the running gate is ended and nothing is written. */
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
    const way = accessCommand(resolve(root, CONFIG), 'write');
    return failure(`.ralph/ cannot be written: ${reason}`, way ?? 'ralph doctor', EXIT.unexpected);
  }
}

/**
 * Accepts the gates that were just written, because you asked for them. Everything else that a run would start, such as
 * an existing template or scenario, still needs your approval.
 */
async function acceptOwn(root: string, commonDir: string): Promise<void> {
  const loaded = await loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return;
  const stateHome = stateHomeOf(commonDir);
  const check = checkTrust({ root, stateHome, config: loaded.config, entries: loaded.entries() });
  if (check.kind !== 'untrusted' || check.items.some(({ kind }) => kind !== 'gate')) return;
  try {
    acceptTrust(stateHome, check);
  } catch {
    // If the approval can't be recorded, the first run asks for it.
  }
}

/**
 * Returns hosts for `[box] network`: those of the agents, and those from which the project's package managers download.
 */
export function hostsFor(agents: readonly string[], paths: Iterable<string>): readonly string[] {
  const names = new Set(Array.from(paths, nameOf));
  const ofAgents = Object.values(ADAPTERS).filter(({ name }) => agents.includes(name));
  const ofTools = PACKAGE_HOSTS.filter(([files]) => files.some((file) => names.has(file)));
  return [...new Set([...ofAgents.flatMap(({ hosts }) => hosts), ...ofTools.flatMap(([, hosts]) => hosts)])];
}
