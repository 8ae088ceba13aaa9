import { extname, isAbsolute, join } from 'node:path';
import { moduleRules, type OwnRules, tomlRules } from 'ralph-actions/review';
import { parseToml } from '../../config/index.ts';
import { readFileBytes } from '../../io/files/plain-file.ts';
import type { ModuleHost } from '../../io/modules/index.ts';

/** Milliseconds that a module may take to load. */
const LOAD_MS = 10_000;
/** Milliseconds that a rule may take to judge an action. */
const JUDGE_MS = 2_000;

/**
 * Reads the rules in `custom_rules_path`: a TOML file of matchers, or an ES module. A module is code, so the
 * configuration must be trusted. Never throws.
 * @param path Relative to the repository; '': there are no rules.
 */
export async function readOwnRules(path: string, root: string, host: ModuleHost): Promise<OwnRules> {
  if (path === '') return { rules: [], problems: [] };
  const { rules, problems } = isModule(path) ? await ofModule(path, host) : readTomlRules(path, root);
  return { rules, problems: problems.map((problem) => `${path}: ${problem}`) };
}

/** Reads rules outside of a run, where modules aren't loaded. Never throws. */
export function readRulesHere(path: string, root: string): OwnRules {
  if (path === '') return { rules: [], problems: [] };
  const { rules, problems } = isModule(path)
    ? { rules: [], problems: ['a module speaks in runs alone'] }
    : readTomlRules(path, root);
  return { rules, problems: problems.map((problem) => `${path}: ${problem}`) };
}

export function isModule(path: string): boolean {
  return /^\.m?js$/.test(extname(path));
}

function readTomlRules(path: string, root: string): OwnRules {
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

async function ofModule(path: string, host: ModuleHost): Promise<OwnRules> {
  const listed = await host.ask(path, { kind: 'rules' }, null, LOAD_MS);
  if (listed.kind === 'failed') return { rules: [], problems: [`It ${listed.why}.`] };
  if (listed.kind === 'unfit') return { rules: [], problems: ["Its rules can't be read as data."] };
  return moduleRules(listed.value, (index, subject) => {
    const reply = host.askNow(path, { kind: 'judge', index }, subject, JUDGE_MS);
    if (reply.kind === 'value') return reply.value;
    throw new Error(reply.kind === 'unfit' ? "its answer isn't data" : `it ${reply.why}`);
  });
}
