import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunEnding } from '../../src/domain/exit.ts';
import type { ScenarioAction, ScenarioWhen } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, type ProjectFiles, scenarioOf, write } from './cli.ts';
import type { Finished } from './finished.ts';
import { temporaryFolder } from './repository.ts';

/** Actions of the scripted agent: the first step that fits the attempt counts. */
export type Step = { readonly when?: ScenarioWhen; readonly do: readonly ScenarioAction[] };

export type NightProject = Project & {
  /** Absolute path of a folder outside of the repository. */
  readonly place: string;
};

/** The result expected of a command; what isn't named may be anything. */
type Wanted = {
  /** How the run ended, by its record; its exit code has to be the one of this ending. */
  readonly ending?: RunEnding;
  readonly code?: number | null;
  /** Parts of the output, in which white space counts as one space. */
  readonly says?: readonly string[];
  /** Status of tasks, by id. */
  readonly tasks?: Readonly<Record<string, string>>;
  /** Verdicts of all attempts, in order. */
  readonly verdicts?: readonly string[];
  /** Texts of files in the checkout. */
  readonly files?: Readonly<Record<string, string>>;
};

/**
 * A project with tasks, and what happens in it. Each function returns another night, so that nights may share a
 * beginning. In all texts `PLACE` is a folder outside of the repository, and `ROOT` is the checkout.
 */
export type Night = {
  /** Adds steps of the scripted agent; actions alone are a step that fits every attempt. */
  readonly agent: (...steps: readonly (Step | ScenarioAction)[]) => Night;
  /** Has a shell script as the agent, which gets its prompt on standard input. */
  readonly script: (text: string) => Night;
  /** Has this shell text as the gate `test`. @param keys Keys of the gate besides its name and command */
  readonly gate: (script: string, keys?: string) => Night;
  /** Adds lines of the section `[loop]`. */
  readonly loop: (...lines: readonly string[]) => Night;
  /** Adds other sections of ralph.toml; without a section `[git]` what is done is committed. */
  readonly toml: (...sections: readonly string[]) => Night;
  /** Adds files that are committed at the start, or replaces them. */
  readonly files: (files: ProjectFiles) => Night;
  readonly make: () => NightProject;
  /** Makes the project and runs `ralph run` with these options, or another command with `ralph`. */
  readonly run: (...options: readonly string[]) => Played;
  readonly ralph: (...args: readonly string[]) => Played;
};

type Played = { readonly expect: (wanted: Wanted) => Promise<NightProject> };

type Given = {
  readonly tasks: readonly string[];
  readonly steps: readonly Step[];
  readonly gate: readonly string[];
  readonly loop: readonly string[];
  readonly toml: readonly string[];
  readonly files: ProjectFiles;
};

/** Returns a night with these tasks: titles of T-1, T-2, …, or whole lines of the list that begin with `**`. */
export function night(...tasks: readonly string[]): Night {
  const lines = tasks.map((task, at) => (task.startsWith('**') ? task : `**T-${at + 1}** ${task}`));
  return nightOf({ tasks: lines, steps: [], gate: [], loop: ['agent = "scripted"'], toml: [], files: {} });
}

function nightOf(given: Given): Night {
  const make = () => made(given);
  const ralph: Night['ralph'] = (...args) => ({ expect: (wanted) => expected(make(), args, wanted) });
  const { steps, loop, toml, files } = given;
  return {
    agent: (...more) => nightOf({ ...given, steps: [...steps, ...stepsOf(more)] }),
    script: (text) =>
      nightOf({
        ...given,
        loop: [...loop.slice(1), 'agent = "mine"'],
        toml: [...toml, '[runners.mine]\nargv = ["sh", "./agent.sh", "-"]'],
        files: { ...files, 'agent.sh': text },
      }),
    gate: (script, keys = '') =>
      nightOf({
        ...given,
        gate: [`[[gates.commands]]\nname = "test"\nrun = "sh check.sh"\n${keys}`],
        files: { ...files, 'check.sh': `${script}\n` },
      }),
    loop: (...more) => nightOf({ ...given, loop: [...loop, ...more] }),
    toml: (...more) => nightOf({ ...given, toml: [...toml, ...more] }),
    files: (more) => nightOf({ ...given, files: { ...files, ...more } }),
    make,
    run: (...options) => ralph('run', ...options),
    ralph,
  };
}

function stepsOf(given: readonly (Step | ScenarioAction)[]): Step[] {
  const steps = given.filter((one) => 'do' in one);
  const actions = given.filter((one) => 'action' in one);
  return actions.length === 0 ? steps : [...steps, { do: actions }];
}

const SCENARIO = '.ralph/scenario.json';

function made({ tasks, steps, gate, loop, toml, files }: Given): NightProject {
  const place = temporaryFolder();
  const clock = process.env.TEST_CLOCK_FILE ?? '';
  const git = toml.some((section) => section.startsWith('[git]')) ? [] : ['[git]\ncommit = "on_done"'];
  const texts = {
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${tasks.map((task) => `- [ ] ${task}\n`).join('')}`,
    '.ralph/ralph.toml': [`[loop]\n${loop.join('\n')}`, ...git, ...toml, ...gate].join('\n\n'),
    [SCENARIO]: scenarioOf(steps),
    ...files,
  };
  const filled = Object.entries(texts).map(([path, text]) => [
    path,
    text.replaceAll('PLACE', place).replaceAll('CLOCK', clock),
  ]);
  const project = makeProject(Object.fromEntries(filled));
  const scenario = project.read(SCENARIO);
  if (scenario.includes('ROOT')) project.write(SCENARIO, scenario.replaceAll('ROOT', project.root));
  return { ...project, place };
}

async function expected(one: NightProject, args: readonly string[], wanted: Wanted): Promise<NightProject> {
  expectOf(one, await one.start(...args).ended, wanted);
  return one;
}

/** Compares the result of a command with what is wanted. */
export function expectOf(
  one: Project,
  { code, stdout, stderr }: Finished,
  { ending, says = [], tasks, verdicts, files = {}, ...wanted }: Wanted,
): void {
  const output = stdout + stderr;
  const flat = output.replace(/\s+/g, ' ');
  for (const part of says) expect(flat).toContain(part);
  if ('code' in wanted) expect(code, output).toBe(wanted.code);
  if (ending !== undefined) expect(endingsOf(one).at(-1), output).toBe(`${ending}: exit ${code}`);
  if (tasks !== undefined)
    expect(
      Object.fromEntries(one.json('tasks').tasks.map(({ id, status }: Shown) => [id, status])),
      output,
    ).toMatchObject(tasks);
  if (verdicts !== undefined)
    expect(one.iterations().map((at) => one.iteration(at).decisions.verdict.kind)).toEqual(verdicts);
  for (const [path, text] of Object.entries(files)) expect(one.read(path)).toBe(text);
}

type Shown = { readonly id: string; readonly status: string };

/** Returns how each run ended, in order, with the exit code on record. */
export function endingsOf({ path }: Project): string[] {
  const runs = path('.ralph/runs');
  return (existsSync(runs) ? readdirSync(runs) : [])
    .map((run) => join(runs, run, 'run.json'))
    .map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null))
    .toSorted((a, b) => (a?.startedAt ?? '').localeCompare(b?.startedAt ?? ''))
    .map((run) => (run === null ? 'cut off' : `${run.ending.kind}: exit ${run.ending.exitCode}`));
}

export const shell = (command: string): ScenarioAction => ({ action: 'run', argv: ['sh', '-c', command] });
/** Returns what the agent does on a task. */
export const at = (task: string, ...actions: readonly ScenarioAction[]): Step => ({
  when: { task },
  do: actions,
});
/** Returns what the agent does in one attempt at a task. */
export const inAttempt = (task: string, attempt: number, ...actions: readonly ScenarioAction[]): Step => ({
  when: { task, attempt },
  do: actions,
});
/** A step for all other tasks: honest work in a file of its own. */
export const HONEST: Step = { do: [write('{task}.txt', '{task}\n'), claim('{task}.txt:1 its file')] };
