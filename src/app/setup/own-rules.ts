import { extname, isAbsolute, join } from 'node:path';
import {
  type AskRules,
  moduleRules,
  type OwnRules,
  type Rule,
  type RuleAnswer,
  tomlRules,
} from 'ralph-actions/review';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { isObject } from 'ralph-kit/is-object';
import { parseToml } from '../../config/index.ts';
import type { ModuleHost } from '../../io/modules/index.ts';

/** Limits of loading a module and listing its rules. */
const LOAD_LIMITS = { wallMs: 10_000 };
const RULES_OF = { kind: 'rules' } as const;
/** Limits of all rules of a module together, for one action. */
const JUDGE_LIMITS = { processorMs: 100, wallMs: 2_000 };

/** Your rules, with the function that asks those in a module. */
export type ReadRules = OwnRules & { readonly askRules: AskRules };

/**
 * Reads the rules in `custom_rules_path`: a TOML file of matchers, or an ES module. A module is code, so the
 * configuration must be trusted. Never throws.
 * @param path Relative to the repository; '': there are no rules.
 */
export async function readOwnRules(path: string, root: string, host: ModuleHost): Promise<ReadRules> {
  const askRules = askingModule(path, host);
  if (path === '') return { rules: [], problems: [], askRules };
  const { rules, problems } = isModule(path)
    ? await ofModule(path, root, host, askRules)
    : readTomlRules(path, root);
  return { rules, problems: problems.map((problem) => `${path}: ${problem}`), askRules };
}

/** Reads rules outside of a run, where modules aren't loaded. Never throws. */
export function readRulesOutsideRun(path: string, root: string): OwnRules<Rule> {
  if (path === '') return { rules: [], problems: [] };
  const { rules, problems } = isModule(path)
    ? { rules: [], problems: ['the rules of a module are read in runs alone'] }
    : readTomlRules(path, root);
  return { rules, problems: problems.map((problem) => `${path}: ${problem}`) };
}

export function isModule(path: string): boolean {
  return /^\.m?js$/.test(extname(path));
}

function readTomlRules(path: string, root: string): OwnRules<Rule> {
  if (extname(path) !== '.toml')
    return { rules: [], problems: ['Rules are in a .toml file, or in a module that ends in .js or .mjs.'] };
  const file = isAbsolute(path) ? path : join(root, path);
  try {
    const parsed = parseToml(file, readFileBytes(file).toString('utf8'));
    if (parsed.ok) return tomlRules(parsed.table);
    const { line, message } = parsed.problem;
    return { rules: [], problems: [`line ${line ?? 1}, ${message}`] };
  } catch (error) {
    return { rules: [], problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** A command, and a call without one. A rule that fails here would deny such calls all night. */
const SAMPLES = [
  {
    action: { kind: 'system_command', tool: 'Bash', command: 'npm test', paths: [] },
    effects: [{ kind: 'executes', by: 'npm', shown: 'npm test' }],
  },
  {
    action: { kind: 'file_write', tool: 'Write', command: null, paths: [{ path: 'a.txt', change: 'write' }] },
    effects: [{ kind: 'writes', by: 'Write', shown: 'a.txt', paths: ['a.txt'] }],
  },
];

async function ofModule(path: string, root: string, host: ModuleHost, askRules: AskRules): Promise<OwnRules> {
  const listed = await host.ask(path, RULES_OF, null, LOAD_LIMITS);
  if (listed.kind === 'failed') return { rules: [], problems: [`It ${listed.why}.`] };
  const { rules, problems } = moduleRules(listed.value);
  if (problems.length > 0) return { rules, problems };
  for (const sample of SAMPLES) {
    const failed = (await askRules(rules, { ...sample, root })).find((answer) => 'error' in answer);
    if (failed !== undefined)
      return { rules, problems: [`${failed.rule}, called for ${sample.action.tool}: ${failed.error}`] };
  }
  return { rules, problems };
}

/** A module that ended or hung is asked a second time, in a new thread. */
const TRIES = 2;

function askingModule(path: string, host: ModuleHost): AskRules {
  return async (rules, subject) => {
    const call = { kind: 'judge', indexes: rules.map(({ index }) => index) } as const;
    let answers: readonly RuleAnswer[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      // Loading a module again may take longer than an answer may.
      if (tries > 0) await host.ask(path, RULES_OF, null, LOAD_LIMITS);
      const reply = await host.ask(path, call, subject, JUDGE_LIMITS);
      if (reply.kind === 'value') return rules.map(({ name }, at) => answerOf(name, reply.value, at));
      answers = [{ rule: rules[reply.at ?? -1]?.name ?? path, error: errorOf(reply) }];
    }
    return answers;
  };
}

/** Returns the answer at a position of a module's reply, which may be anything. */
function answerOf(rule: string, reply: unknown, at: number): RuleAnswer {
  const answer: unknown = Array.isArray(reply) ? reply[at] : null;
  if (!isObject(answer)) return { rule, error: 'it gave no answer' };
  return 'why' in answer ? { rule, error: errorOf(answer) } : { rule, value: answer.value };
}

function errorOf({ why, line }: { readonly why?: unknown; readonly line?: unknown }): string {
  return `it ${why}${line === null ? '' : ` (line ${line})`}`;
}
