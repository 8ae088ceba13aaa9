import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS } from '../../agent/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import { type AgentName, BUILT_IN_AGENTS } from '../../domain/agents.ts';
import type { Config } from '../../domain/config.ts';
import { chooseAgent, chooseAgents } from '../setup/choose-agent.ts';
import type { AgentFacts, BuiltInFacts, ReviewedAgent, RunnerFacts } from './facts.ts';
import { findProgram } from './gather-machine.ts';

/** An agent that takes longer to tell its version is told without. */
const VERSION_MS = 2_000;

/** Which agents are here. Only built-in ones are started, for their version; nothing of the repository is. */
export async function gatherAgents(root: string, config: Config): Promise<AgentFacts> {
  const builtIn = await Promise.all(BUILT_IN_AGENTS.map((name) => builtInFacts(name, root)));
  const runners = Object.entries(config.runners).flatMap(([name, { argv, output }]): RunnerFacts[] => {
    const [program] = argv ?? [];
    if (program === undefined) return [];
    const hidesBuiltIn = BUILT_IN_AGENTS.includes(name as never) && (output ?? 'text') === 'text';
    return [{ name, program, found: findProgram(program, root) !== null, hidesBuiltIn }];
  });
  const choice = chooseAgent(root, config);
  const chosen = choice.ok ? choice.adapter.name : null;
  const problem = choice.ok ? null : { message: choice.message, next: choice.next };
  const all = chooseAgents(root, config);
  return {
    builtIn,
    runners,
    configured: config.loop.agent,
    chosen,
    chosenFound: chosen === 'scripted' || isHere(chosen, builtIn, runners),
    problem,
    fallbackProblems: config.loop.fallback.length === 0 ? [] : all.ok ? all.warnings : [all.message],
    reviewed: all.ok ? all.adapters.map((adapter) => reviewedAgent(adapter, config)) : [],
    review: { enabled: config.review.enabled, requireGate: config.review.require_gate },
  };
}

function reviewedAgent({ name, hook, output }: AgentAdapter, { runners }: Config): ReviewedAgent {
  const own = Object.hasOwn(runners, name) ? runners[name] : undefined;
  const needs = own?.argv === undefined ? (ADAPTERS[name as AgentName]?.rootNeeds ?? null) : null;
  const root = process.getuid?.() === 0;
  return {
    name,
    by: hook !== null ? 'hook' : output === 'text' ? 'nothing' : 'stream',
    refusesRoot: root && needs !== null && (own?.env?.[needs] ?? process.env[needs]) !== '1',
  };
}

function isHere(
  name: string | null,
  builtIn: readonly BuiltInFacts[],
  runners: readonly RunnerFacts[],
): boolean {
  const runner = runners.find((one) => one.name === name);
  return runner === undefined ? builtIn.some((one) => one.name === name && one.path !== null) : runner.found;
}

async function builtInFacts(name: AgentName, root: string): Promise<BuiltInFacts> {
  const path = findProgram(name, root);
  return {
    name,
    path,
    version: path === null ? null : await versionOf(path),
    signedIn: path === null ? [] : signsOfLogin(name),
  };
}

/** Names of variables that are set and files that exist; what they hold is not read. */
function signsOfLogin(name: AgentName): string[] {
  const { variables, files } = ADAPTERS[name].login;
  const home = process.env.HOME ?? homedir();
  return [
    ...variables.filter((variable) => (process.env[variable] ?? '') !== ''),
    ...files.filter((file) => existsSync(join(home, file))).map((file) => `~/${file}`),
  ];
}

function versionOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = {
      timeout: VERSION_MS,
      killSignal: 'SIGKILL',
      cwd: homedir(),
      maxBuffer: 64 * 1024,
    } as const;
    const child = execFile(path, ['--version'], options, (error, stdout) => {
      const [line = ''] = stdout.trim().split('\n');
      resolve(error === null && line !== '' ? line.slice(0, 60) : null);
    });
    child.stdin?.end();
  });
}
