import { extname, isAbsolute, join } from 'node:path';
import {
  type AskRules,
  moduleRules,
  type OwnRules,
  opinionsIn,
  plainSubject,
  type Rule,
  type RuleAnswer,
  tomlRules,
} from '../../actions/review/index.ts';
import { parseToml } from '../../config/index.ts';
import { readFileBytes } from '../../io/files/plain-file.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import type { Action } from '../../lib/actions/action.ts';
import { isObject } from '../../lib/is-object.ts';

/** Milliseconds that a module may take to load. */
const LOAD_MS = 10_000;
/** Milliseconds that all rules of a module may take together for an action. */
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
export function readRulesHere(path: string, root: string): OwnRules<Rule> {
  if (path === '') return { rules: [], problems: [] };
  const { rules, problems } = isModule(path)
    ? { rules: [], problems: ['a module speaks in runs alone'] }
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

const NO_MORE = { id: null, content: [], network: null, cwd: null };

/** A command, and a call without one. A rule that fails here would deny such calls all night. */
const SAMPLES: readonly { readonly action: Action; readonly effects: readonly object[] }[] = [
  {
    action: {
      ...NO_MORE,
      kind: 'system_command',
      tool: 'Bash',
      command: 'npm test',
      paths: [],
      input: { command: 'npm test' },
    },
    effects: [{ kind: 'executes', by: 'npm', shown: 'npm test' }],
  },
  {
    action: {
      ...NO_MORE,
      kind: 'file_write',
      tool: 'Write',
      command: null,
      paths: [{ path: 'a.txt', change: 'write' }],
      input: { file_path: 'a.txt' },
    },
    effects: [{ kind: 'writes', by: 'Write', shown: 'a.txt', paths: ['a.txt'] }],
  },
];

async function ofModule(path: string, root: string, host: ModuleHost, askRules: AskRules): Promise<OwnRules> {
  const listed = await host.ask(path, { kind: 'rules' }, null, { wallMs: LOAD_MS });
  if (listed.kind === 'failed') return { rules: [], problems: [`It ${listed.why}.`] };
  if (listed.kind === 'unfit') return { rules: [], problems: ["Its rules can't be read as data."] };
  const { rules, problems } = moduleRules(listed.value);
  if (problems.length > 0) return { rules, problems };
  for (const { action, effects } of SAMPLES) {
    const answers = await askRules(rules, { ...plainSubject(action, [], root), effects });
    const [failed] = opinionsIn(answers, action).failed;
    if (failed === undefined) continue;
    return { rules, problems: [`${failed.rule} failed on a call of ${action.tool}: ${failed.error}`] };
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
      const reply = await host.ask(path, call, subject, JUDGE_LIMITS);
      if (reply.kind === 'value') return rules.map(({ name }, at) => answerOf(name, reply.value, at));
      const rule = reply.kind === 'failed' ? rules[reply.at ?? -1]?.name : undefined;
      const failure = reply.kind === 'failed' ? `it ${reply.why}` : 'its answer is longer than 1 MB';
      answers = [{ rule: rule ?? path, failure }];
    }
    return answers;
  };
}

/** Returns the answer at a position of a module's reply, which may be anything. */
function answerOf(rule: string, reply: unknown, at: number): RuleAnswer {
  const answer: unknown = Array.isArray(reply) ? reply[at] : undefined;
  if (isObject(answer) && 'value' in answer) return { rule, value: answer.value };
  const error = isObject(answer) && isObject(answer.error) ? answer.error : { text: 'no answer', line: null };
  return { rule, failure: `${error.text}${error.line === null ? '' : ` (line ${error.line})`}` };
}
