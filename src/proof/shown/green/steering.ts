import type { Change } from '../../../domain/change-set.ts';
import { languageOf, roleOf } from '../../../ecosystems/index.ts';
import { nameOf } from '../../../lib/paths.ts';

/** What is known of the gates' commands. */
export type Commands = {
  /** The commands, and the texts of the settings, scripts and recipes that say what they do, of before and of now. */
  readonly texts: readonly string[];
  /** Paths of what they run, as far as it was found. */
  readonly scripts: ReadonlySet<string>;
};

/** Whether a file is read to know what gates do. */
export function saysWhatGatesDo(path: string): boolean {
  const role = roleOf(path);
  return role === 'config' || role === 'pipeline';
}

const SHELL = /\.(?:sh|bash|zsh|fish|bat|cmd|ps1|mk)$/;
/** Scripts that check, as they are called. */
const CHECKS =
  /(?:^|[/_.-])(?:check|checks|lint|cov|coverage|verify|validate|test|tests|ci|gate|gates|limit|limits|threshold|audit|quality)(?=[/_.-]|$)/i;
/** Data that says how much is demanded, as it is called. */
const LIMITS =
  /(?:^|[/_.-])(?:cov|coverage|limits?|thresholds?|budgets?|baselines?|min|minimum|max|maximum|allow(?:ed|list)?|ignore[ds]?|exclude[ds]?|known|skip(?:ped|s)?|quality|ratchet|todo|lint|expected|warnings?)(?=[/_.-]|$)/i;

/**
 * Changed files that steer the gates although they look like code or data: scripts that check, limits that they read, and what is loaded before the
 * tests, as it may replace what they test.
 */
export function steeringIn(changes: readonly Change[], commands: Commands): string[] {
  return changes.flatMap(({ path, oldPath }) => {
    const paths = [...new Set([oldPath ?? path, path])];
    return paths.some((one) => steers(one, commands)) ? paths : [];
  });
}

function steers(path: string, { texts, scripts }: Commands): boolean {
  const role = roleOf(path);
  if (role !== 'source' && role !== 'other') return false;
  const isCode = languageOf(path).name !== 'data';
  if (scripts.has(path) && (SHELL.test(path) || CHECKS.test(path))) return true;
  if (isCode) return texts.some((text) => loads(text, path));
  return LIMITS.test(path) && texts.some((text) => text.includes(nameOf(path)));
}

/** Options and settings behind which stands what runs before the tests. */
const LOADERS =
  /(?:--import|--require|--(?:experimental-)?loader|--preload|(?:node|mocha|nyc|tap|tsx|c8|\w*spec)\b[^|;&\n]{0,120}?\s-r|\w+test\b[^|;&\n]{0,120}?\s-p|setup_?files?\w*|global_?setup|bootstrap|auto_prepend_file|preload|(?<![\w-])(?:require|import)(?=["']?\s*[:=])|moduleNameMapper|\balias\w*|resolver|PYTHONSTARTUP)["']?\s*[=:]?\s*([^\n;]{0,300})/gi;

/** Whether settings have a file loaded before the tests, or in place of another one. */
function loads(text: string, path: string): boolean {
  const name = nameOf(path);
  const stem = name.replace(/\.\w+$/, '');
  return [...text.matchAll(LOADERS)].some(([, rest = '']) =>
    rest.split(/[\s"'`,=[\]{}()]+/).some((word) => {
      const last = nameOf(word);
      return last === name || (last === stem && (/^(?:\.|<rootDir>)/.test(word) || name.endsWith('.py')));
    }),
  );
}
