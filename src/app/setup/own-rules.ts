import { extname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseToml } from '../../config/index.ts';
import { readFileBytes } from '../../io/store/files/plain-file.ts';
import { moduleRules, type OwnRules, tomlRules } from '../../review/index.ts';
import { importModule } from './import-module.ts';

/**
 * The rules of `custom_rules_path`: a TOML file of matchers, or an ES module. For a configuration that
 * is trusted alone, as a module is code. Relative to the repository; with an empty path there are none. Never throws.
 */
export async function readOwnRules(path: string, root: string): Promise<OwnRules> {
  if (path === '') return { rules: [], problems: [] };
  const file = isAbsolute(path) ? path : join(root, path);
  const { rules, problems } = await read(file).catch((error: unknown) => ({
    rules: [],
    problems: [error instanceof Error ? error.message : String(error)],
  }));
  return { rules, problems: problems.map((problem) => `${path}: ${problem}`) };
}

async function read(file: string): Promise<OwnRules> {
  if (extname(file) === '.toml') {
    const parsed = parseToml(file, readFileBytes(file).toString('utf8'));
    if (parsed.ok) return tomlRules(parsed.table);
    const { line, message } = parsed.problem;
    return { rules: [], problems: [`line ${line ?? 1}, ${message}`] };
  }
  if (!/^\.m?js$/.test(extname(file))) {
    return { rules: [], problems: ['Rules are in a .toml file, or in a module that ends in .js or .mjs.'] };
  }
  const module = (await importModule(pathToFileURL(file).href)) as { readonly default?: unknown };
  return moduleRules(module.default);
}
