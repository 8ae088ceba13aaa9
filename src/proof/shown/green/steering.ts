import { languageOf, roleOf } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import type { Change } from '../../../domain/change-set.ts';

export type Commands = {
  /** The commands and the texts behind them (settings, scripts, recipes), before and now. */
  readonly texts: readonly string[];
  /** Paths of scripts that the commands run, as far as they were found. */
  readonly scripts: ReadonlySet<string>;
};

export function saysWhatGatesDo(path: string): boolean {
  const role = roleOf(path);
  return role === 'config' || role === 'pipeline';
}

const SHELL = /\.(?:sh|bash|zsh|fish|bat|cmd|ps1|mk)$/;
const CHECKS =
  /(?:^|[/_.-])(?:check|checks|lint|cov|coverage|verify|validate|test|tests|ci|gate|gates|limit|limits|threshold|audit|quality)(?=[/_.-]|$)/i;
const LIMITS =
  /(?:^|[/_.-])(?:cov|coverage|limits?|thresholds?|budgets?|baselines?|min|minimum|max|maximum|allow(?:ed|list)?|ignore[ds]?|exclude[ds]?|known|skip(?:ped|s)?|quality|ratchet|todo|lint|expected|warnings?)(?=[/_.-]|$)/i;

/**
 * Returns changed files that control the gates although they look like code or data: checking scripts, limits that these read, and files
 * loaded before the tests, which may replace the tested code.
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

/** Options and settings that name files to run before the tests. */
const LOADERS =
  /(?:--import|--require|--(?:experimental-)?loader|--preload|(?:node|mocha|nyc|tap|tsx|c8|\w*spec)\b[^|;&\n]{0,120}?\s-r|\w+test\b[^|;&\n]{0,120}?\s-p|setup_?files?\w*|global_?setup|bootstrap|auto_prepend_file|preload|(?<![\w-])(?:require|import)(?=["']?\s*[:=])|moduleNameMapper|\balias\w*|resolver|PYTHONSTARTUP)["']?\s*[=:]?\s*([^\n;]{0,300})/gi;

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

/** Forms in which tests and runners are told to repeat failures; a group has the number. */
const REPEATS =
  /\bretryTimes\s*\(\s*(\d+)|\bretries["']?\s*[:=(]\s*(\d+)|\bretry["']?\s*[:=(]\s*\{?\s*(?:count["']?\s*:\s*)?(\d+)|--(?:retries|reruns?|retry|flake-finder-runs|rerun-failing-tests|rerunFailingTestsCount)[ =]+(\d+)|\brerunFailingTestsCount>?\s*[=>]?\s*(\d+)|\breruns\s*=\s*(\d+)|\bmax_(?:runs|attempts)\s*=\s*(\d+)|\bmaxRetries(?:\.set\()?\s*[=(]?\s*(\d+)|\bRepeatAttempts\s*=\s*(\d+)|\b(?:flaky|flaky_retries|retry_on_failure)\s*\(|@(?:\w+\.)*flaky\b|@Retry\w*\b|@RepeatedIfExceptionsTest\b|\b[A-Z]+_RETRIES\s*=\s*(\d+)|\b\w+-retry\b|\bflaky-retries\b/gi;

export function raisesRetries(before: string, now: string): boolean {
  return repeatsIn(now) > repeatsIn(before);
}

function repeatsIn(text: string): number {
  return [...text.matchAll(REPEATS)].reduce((sum, [, ...numbers]) => {
    const number = numbers.find((one) => one !== undefined);
    return sum + (number === undefined ? 1 : Number(number));
  }, 0);
}
