import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS, hiddenSettings, writableLine } from 'ralph-agents';
import { type AgentName, BUILT_IN_AGENTS, isWordsAlone, OVER_ACP_ALONE } from 'ralph-agents/known';
import type { AgentAdapter } from 'ralph-agents/protocol';
import { agentsReach } from 'ralph-kit/programs/start/agents-reach';
import { printedBy } from 'ralph-kit/programs/start/printed-by';
import type { Config } from '../../../domain/config.ts';
import { hasBudget } from '../../../domain/policy.ts';
import { budgetLimits } from '../../../loop/index.ts';
import { boxStatusOf } from '../../setup/box.ts';
import { chooseAgent, chooseAgents, installHint } from '../../setup/choose-agent.ts';
import { agentsOfRoles, workflowSetup } from '../../setup/workflow/workflow-setup.ts';
import {
  check,
  type DoctorFinding,
  error,
  findProgram,
  info,
  ok,
  type ProgramProblem,
  programProblem,
  warning,
} from '../check.ts';
import type { Scene } from '../scene.ts';

/** Milliseconds that an agent's `--version` may take; after that, the agent is shown without a version. */
const VERSION_MS = 2_000;

export type BuiltInFacts = {
  readonly name: string;
  readonly path: string | null;
  /** First line of `--version`; `null`: it wasn't printed in time. */
  readonly version: string | null;
  /** Signs that you are signed in: paths of files and names of variables; empty: no sign was found. */
  readonly signedIn: readonly string[];
};

type RunnerFacts = {
  readonly name: string;
  readonly program: string;
  /** Why the program can't be started; `null`: it can. */
  readonly problem: ProgramProblem | null;
  /** Whether the configured agent replaces a built-in one, so that its output is only read as plain text. */
  readonly hidesBuiltIn: boolean;
  /**
   * Folders in the home folder that may have the program's settings and that the box hides. Paths are relative to the
   * home folder.
   */
  readonly hidden: readonly string[];
};

type ReviewedAgent = {
  readonly name: string;
  /**
   * How actions are reviewed. `hook`: the agent asks before it acts; `stream`: its output reports actions; `nothing`:
   * its output is plain text.
   */
  readonly by: 'hook' | 'stream' | 'nothing';
  /** Actions for which the agent doesn't ask; absent: it asks for all. */
  readonly unasked?: string | undefined;
  /** Whether the agent refuses to run without asking you, because ralph runs as root. */
  readonly refusesRoot: boolean;
};

type AgentFacts = Awaited<ReturnType<typeof readAgents>>;

/** Checks which agents are installed, which one a run would use, and how their actions are reviewed. */
export const agentsCheck = check({
  gather: (scene) => readAgents(scene),
  judge: (agents) => [
    chosenFinding(agents),
    ...builtInFindings(agents),
    ...agents.runners.flatMap((runner) => runnerFindings(runner, agents)),
    ...fallbackFindings(agents),
    ...roleFindings(agents),
    ...rootFindings(agents),
    ...reviewFindings(agents),
  ],
});

/** Checks only the agents of a run, and starts no program. Reports problems and the chosen agent. */
export const runAgentsCheck = check({
  gather: (scene: Pick<Scene, 'root' | 'config'>) => readAgents(scene, false),
  judge: (agents) => {
    const names = new Set(agents.reviewed.map(({ name }) => name));
    const login = signInOf(agents);
    const [first] = agents.reviewed;
    // An agent of `[loop] fallback` replaces a missing one. The run reports that itself.
    const standsIn = first !== undefined && first.name !== agents.chosen;
    const chosen = standsIn
      ? ok('agents.chosen', `agent: ${first.name} (from [loop] fallback)`)
      : chosenFinding(agents);
    return [
      { ...chosen, ...(login === null || chosen.status !== 'ok' ? {} : { detail: login }) },
      ...builtInFindings({
        ...agents,
        builtIn: agents.builtIn.filter(({ name, path }) => names.has(name) && path !== null),
      }),
      ...fallbackFindings(agents),
      ...roleFindings(agents),
      ...rootFindings(agents),
      ...reviewFindings(agents),
    ].filter(({ id, status }) => id === 'agents.chosen' || status === 'warning' || status === 'error');
  },
});

/** Returns the signs that you are signed in to the run's agent; `null`: none were found. */
function signInOf({ chosen, builtIn, reviewed }: AgentFacts): string | null {
  const name = reviewed[0]?.name ?? chosen;
  const signs = builtIn.find((one) => one.name === name)?.signedIn ?? [];
  return signs.length === 0 ? null : `signed in, by ${signs.join(', ')}`;
}

/**
 * Reads facts about agents. Only built-in agents are started, to ask for their versions; nothing of the repository is.
 *
 * @param ask Whether agents are asked for their versions.
 */
async function readAgents({ root, config }: Pick<Scene, 'root' | 'config'>, ask = true) {
  const builtIn = await Promise.all(BUILT_IN_AGENTS.map((name) => builtInFacts(name, root, ask)));
  const isBoxed = config.box.mode !== 'off' && boxStatusOf({ root }).kind === 'on';
  const home = process.env.HOME ?? homedir();
  const hiddenOf = (name: string, argv: readonly string[] | undefined) => {
    if (!isBoxed || argv?.[0] === undefined) return [];
    return hiddenSettings([name, argv[0]], existsSync, config.box, home);
  };
  const runners = Object.entries(config.runners).flatMap(([name, { argv, output }]): RunnerFacts[] => {
    const program = argv?.[0] ?? OVER_ACP_ALONE.find((known) => known === name);
    if (program === undefined) return [];
    const hidesBuiltIn = BUILT_IN_AGENTS.includes(name as never) && (output ?? 'text') === 'text';
    const hidden = hiddenOf(name, argv);
    return [{ name, program, problem: programProblem(program, root), hidesBuiltIn, hidden }];
  });
  const choice = chooseAgent(root, config);
  const chosen = choice.ok ? choice.adapter.name : null;
  const own = runners.find(({ name }) => name === chosen);
  const all = chooseAgents(root, config);
  const roles = all.ok ? workflowSetup(root, config, all.adapters) : null;
  const ofRoles = roles?.ok === true ? agentsOfRoles(roles.workflow) : [];
  const used = all.ok ? distinct([...all.adapters, ...ofRoles]) : [];
  return {
    builtIn,
    runners,
    configured: config.loop.agent,
    /** Name of the agent that a run would use; `chosenFound` is true if its program is installed. */
    chosen,
    chosenFound:
      chosen === 'scripted' ||
      (own !== undefined
        ? own.problem === null
        : builtIn.some(({ name, path }) => name === chosen && path !== null)),
    problem: choice.ok ? null : { message: choice.message, next: choice.next },
    /**
     * Problems with agents of `[loop] fallback`: they would be left out, or the run wouldn't start. The texts are those
     * of a run.
     */
    fallbackProblems: config.loop.fallback.length === 0 ? [] : all.ok ? all.warnings : [all.message],
    /** Agents that a run would use, in order, and how their actions could be reviewed. */
    reviewed: used.map((adapter) => reviewedAgent(adapter, config, isBoxed)),
    /** Agents of roles beside the maker. `roleProblem`: why a run with them can't start, `null`: it can. */
    roleAgents: [...new Set(ofRoles.map(({ name }) => name))],
    roleProblem: roles === null || roles.ok ? null : { message: roles.message, next: roles.next },
    /** Cheaper models that a run would use late in its budget. `hasBudget`: whether a budget is set. */
    downgrades: used.flatMap(({ name }) => {
      const model = (Object.hasOwn(config.runners, name) ? config.runners[name] : undefined)?.downgrade;
      return model === undefined ? [] : [{ name, model }];
    }),
    hasBudget: hasBudget(budgetLimits(config)),
    review: { enabled: config.review.enabled, requireGate: config.review.require_gate },
  };
}

/** Returns the adapters, each agent once. */
function distinct(adapters: readonly AgentAdapter[]): readonly AgentAdapter[] {
  return adapters.filter(({ name }, at) => adapters.findIndex((one) => one.name === name) === at);
}

function reviewedAgent(
  { name, hook, home, output }: AgentAdapter,
  { runners }: Config,
  isBoxed: boolean,
): ReviewedAgent {
  const own = Object.hasOwn(runners, name) ? runners[name] : undefined;
  const needs = own?.argv === undefined ? (ADAPTERS[name as AgentName]?.rootNeeds ?? null) : null;
  return {
    name,
    unasked: hook?.unasked?.what,
    by: hook !== null ? 'hook' : isWordsAlone(output) ? 'nothing' : 'stream',
    refusesRoot:
      process.getuid?.() === 0 &&
      needs !== null &&
      (own?.env?.[needs] ?? process.env[needs] ?? (isBoxed ? home?.isolated?.[needs] : undefined)) !== '1',
  };
}

async function builtInFacts(name: AgentName, root: string, ask: boolean): Promise<BuiltInFacts> {
  const path = findProgram(name, root);
  if (path === null) return { name, path, version: null, signedIn: [] };
  return { name, path, version: ask ? await versionOf(path, root) : path, signedIn: signsOfLogin(name) };
}

/** Returns names of variables that are set and paths of files that exist. Their contents aren't read. */
function signsOfLogin(name: AgentName): string[] {
  const { variables, files } = ADAPTERS[name].login;
  const home = process.env.HOME ?? homedir();
  return [
    ...variables.filter((variable) => (process.env[variable] ?? '') !== ''),
    ...files.filter((file) => existsSync(join(home, file))).map((file) => `~/${file}`),
  ];
}

async function versionOf(path: string, root: string): Promise<string | null> {
  const where = agentsReach(path, root);
  if (where !== null) return `its version isn't asked: it lies ${where}`;
  const [line = ''] = (await printedBy(path, ['--version'], VERSION_MS)).trim().split('\n');
  return line === '' ? null : line.slice(0, 60);
}

function chosenFinding({ problem, chosen, chosenFound, configured, runners }: AgentFacts): DoctorFinding {
  const id = 'agents.chosen';
  if (problem !== null) {
    const fix = problem.next ?? 'Name an agent with [loop] agent or --agent.';
    const [title = '', detail] = problem.message.replace(/\.$/, '').split(/: (.*)/s);
    return detail === undefined
      ? error(id, 'no agent can be used', problem.message, fix)
      : error(id, title, detail, fix);
  }
  if (!chosenFound) {
    const own = runners.find(({ name }) => name === chosen)?.problem ?? null;
    if (own !== null)
      return error(
        id,
        `${chosen} can't be started`,
        own.why,
        own.fix ?? `Correct argv in [runners.${chosen}], or the file.`,
      );
    return error(id, `${chosen} was not found`, "it isn't on PATH", installHint(chosen ?? configured));
  }
  const why = configured === 'auto' ? 'the first installed' : 'as configured';
  return ok(id, `agent: ${chosen} (${why})`);
}

function builtInFindings({ builtIn, chosen, runners, roleAgents }: AgentFacts): DoctorFinding[] {
  const findings = builtIn.flatMap(({ name, path, version, signedIn }) => {
    if (path === null) return [];
    const id = `agents.${name}`;
    const reported = version ?? `${path} did not report its version within ${VERSION_MS / 1000} s`;
    const login = signedIn.length > 0 ? `login: ${signedIn.join(', ')}` : 'no sign of a login';
    const detail = `${reported}; ${login}`;
    if (version !== null && signedIn.length > 0) return [ok(id, name, detail)];
    const start = `Start ${name} once by hand and sign in`;
    const used =
      (chosen === name || roleAgents.includes(name)) && !runners.some((runner) => runner.name === name);
    if (!used) return [info(id, name, detail, `${start}, if you mean to use it.`)];
    const elsewhere = 'a login kept elsewhere (a keychain, the key of another provider) is not seen here.';
    return [warning(id, name, detail, `${start}; ${elsewhere}`)];
  });
  const missing = builtIn.filter(({ path }) => path === null).map(({ name }) => name);
  return missing.length === 0
    ? findings
    : [...findings, ok('agents.absent', 'not installed', missing.join(', '))];
}

function runnerFindings(runner: RunnerFacts, { chosen }: AgentFacts): DoctorFinding[] {
  const { name, program, problem, hidesBuiltIn, hidden } = runner;
  const id = `agents.runner.${name}`;
  const title = `[runners.${name}]`;
  if (problem !== null) {
    // Another finding already reports the chosen agent.
    if (chosen === name) return [];
    const fix = problem.fix ?? `Install ${program}, or correct argv in ${title}.`;
    return [info(id, title, problem.why, fix)];
  }
  if (hidden.length > 0) {
    const where = hidden.map((folder) => `~/${folder}`).join(' and ');
    const why = `the box hides ${where}, where it may keep its settings`;
    return [
      (chosen === name ? warning : info)(id, title, why, `Add to .ralph/ralph.toml: ${writableLine(hidden)}`),
    ];
  }
  if (!hidesBuiltIn) return [ok(id, title, program)];
  const detail = `its argv replaces the built-in ${name} and is read as plain text: tool calls, usage and limits aren't seen`;
  const fix = `Remove argv from ${title}; model, extra_args and env work without it.`;
  return [(chosen === name ? warning : info)(id, title, detail, fix)];
}

function fallbackFindings({ fallbackProblems, problem }: AgentFacts): DoctorFinding[] {
  // Another finding already reports that the run's agent is missing.
  const left = fallbackProblems.filter((message) => message !== problem?.message);
  const fix = 'Install it, or remove it from [loop] fallback.';
  return left.map((message) => warning('agents.fallback', 'fallback', message, fix));
}

/** Returns findings on agents that roles of the workflow name, and on cheaper models. */
function roleFindings(facts: AgentFacts): DoctorFinding[] {
  const { roleProblem, roleAgents, chosen, downgrades, hasBudget: limited } = facts;
  const [id, title] = ['agents.roles', 'roles besides the maker'];
  const others = roleAgents.filter((name) => name !== chosen);
  const fix = roleProblem?.next ?? 'Correct [workflow.roles].';
  const cheaper = downgrades.map(({ name, model }) => {
    const [where, what] = [`agents.downgrade.${name}`, `[runners.${name}] downgrade`];
    if (limited) return ok(where, what, `${model}, when the budget runs low`);
    return info(where, what, `${model} is never used: there is no [budget]`, 'Set a limit in [budget].');
  });
  if (roleProblem !== null)
    return [error(id, title, roleProblem.message.replace(/[.]$/, ''), fix), ...cheaper];
  return [...(others.length === 0 ? [] : [ok(id, title, others.join(', '))]), ...cheaper];
}

function rootFindings({ reviewed }: AgentFacts): DoctorFinding[] {
  const detail = 'it refuses to work without asking as root, so each attempt would fail at once';
  const fix =
    'Run ralph as another user, or in its box; in a container or another sandbox, confirm that it is one: IS_SANDBOX=1 ralph run';
  return reviewed
    .filter(({ refusesRoot }) => refusesRoot)
    .map(({ name }) => error(`agents.root.${name}`, `${name} as root`, detail, fix));
}

/** Returns findings on how agents' actions will be reviewed, as far as known before a run. */
function reviewFindings({ reviewed, review }: AgentFacts): DoctorFinding[] {
  if (!review.enabled) {
    const ignored = review.requireGate ? '; require_gate = true has no effect with that' : '';
    const detail = `[review] enabled = false: actions of agents aren't reviewed${ignored}`;
    const finding = review.requireGate ? warning : info;
    return [finding('agents.review', 'review', detail, 'Set [review] enabled = true.')];
  }
  return reviewed.map(({ name, by, unasked }, index) => {
    const id = `agents.review.${name}`;
    if (by === 'hook' && unasked === undefined) return ok(id, `${name} asks before it acts`);
    const detail =
      unasked !== undefined
        ? unasked
        : by === 'stream'
          ? "it can't be stopped before it acts: actions are seen once started"
          : "it prints plain text, so its actions can't be reviewed";
    if (!review.requireGate) {
      return info(id, name, detail, 'Built-in agents ask before they act (ralph doctor --agents).');
    }
    const refused = index === 0 ? error : warning;
    const fix =
      'Use an agent with a review hook (ralph doctor --agents), or set [review] require_gate = false.';
    return refused(id, name, `${detail}, and [review] require_gate = true needs a hook`, fix);
  });
}
