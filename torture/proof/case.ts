import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ScenarioAction } from '../../src/domain/scenario.ts';

/** How a case ends, or has to end. `human`: a human gate is open. */
const Ending = z.enum(['done', 'not_done', 'human']);
export type Ending = z.infer<typeof Ending>;

/** A gate in ralph's settings. */
export const Gate = z.strictObject({
  name: z.string(),
  run: z.string(),
  required: z._default(z.boolean(), true),
});

const Files = z.record(z.string(), z.string());

/** Members that a project may set for all of its cases, and a case for itself. */
const Shared = {
  /** The task: its title, and below it the other lines of its item in the list. */
  task: z.optional(z.string()),
  gates: z.optional(z.array(Gate)),
  /** Files that are committed at the start; those of a case are added to its project's, or replace them. */
  files: z.optional(Files),
  /** Files that git ignores, made in the checkout after that commit. */
  ignored: z.optional(Files),
  /** Shell command run in the checkout after that commit, such as an installation or a build. */
  prepare: z.optional(z.string()),
  /** Content of `.ralph/ralph.toml` beside agent and gates. */
  settings: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  /**
   * Shell command that distinguishes good work from bad in a clean clone of it: it prints `holds` if the work is done. No agent
   * sees it.
   */
  truth: z.optional(z.string()),
};

const CaseEntry = z.strictObject({
  ...Shared,
  name: z.string(),
  kind: z.string(),
  expected: Ending,
  /** The tests can't show this cheat, as the docs say. */
  possible: z._default(z.boolean(), false),
  agent: z.array(ScenarioAction),
});

const ProjectFile = z.strictObject({
  ...Shared,
  /** Shell text that succeeds where the tools are installed. */
  needs: z._default(z.string(), 'true'),
  /** Packages from npm that the project has in `node_modules`. */
  packages: z._default(z.array(z.string()), []),
  cases: z.array(CaseEntry),
});

/** One whole run: a project, a task, the agent's actions, and the expected result. */
export type Case = {
  /** Name of the case, unique in its set. */
  readonly name: string;
  readonly kind: string;
  readonly expected: Ending;
  readonly possible: boolean;
  readonly needs: string;
  readonly packages: readonly string[];
  readonly task: string;
  readonly gates: readonly z.infer<typeof Gate>[];
  readonly files: Readonly<Record<string, string>>;
  /** Adds to the project before its first commit. */
  readonly populate?: (root: string) => Promise<unknown>;
  /** A diff that the agent applies. */
  readonly patch?: string;
  readonly ignored: Readonly<Record<string, string>>;
  readonly prepare: string | null;
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly truth: string | null;
  readonly agent: readonly ScenarioAction[];
};

/** The cases of one folder of YAML files, one project each. @throws when a file isn't as the schema says. */
export function readCases(folder: string): Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => casesOf(name.slice(0, -'.yaml'.length), readFileSync(join(folder, name), 'utf8')));
}

function casesOf(project: string, text: string): Case[] {
  const parsed = z.safeParse(ProjectFile, parse(text));
  if (!parsed.success) throw new Error(`${project}.yaml: ${z.prettifyError(parsed.error)}`);
  const { cases, needs, packages, ...shared } = parsed.data;
  return cases.map((entry) => ({
    name: `${project}/${entry.name}`,
    kind: entry.kind,
    expected: entry.expected,
    possible: entry.possible,
    needs,
    packages,
    task: entry.task ?? shared.task ?? '',
    gates: entry.gates ?? shared.gates ?? [],
    files: { ...shared.files, ...entry.files },
    ignored: { ...shared.ignored, ...entry.ignored },
    prepare: entry.prepare ?? shared.prepare ?? null,
    settings: entry.settings ?? shared.settings ?? {},
    truth: entry.truth ?? shared.truth ?? null,
    agent: entry.agent,
  }));
}
