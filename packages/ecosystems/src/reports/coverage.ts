import { isObject } from 'ralph-kit/is-object';
import { outputOfGoJson } from '../go/go-test.ts';
import { tagsIn } from './xml.ts';

/** Returns percent of lines from a printed table or summary; `null`: none, or several. */
export function printedCoverage(output: string): number | null {
  const lines = outputOfGoJson(output).split('\n');
  for (const read of [total, istanbulSummary, goPackage]) {
    const found = lines.flatMap((line) => read(line) ?? []);
    if (found.length === 1) return found[0] ?? null;
    if (found.length > 1) return null;
  }
  return null;
}

/** Returns the percentage of a table's total line. */
function total(line: string): number | null {
  const cells = line.split('|').map((cell) => cell.trim());
  const first = (cells[0] ?? '')
    .replace(/^[#ℹ] /, '')
    .trim()
    .toLowerCase();
  // istanbul, c8, nyc: statements, branches, functions, lines; node:test: lines, branches, functions.
  if (first === 'all files') return percent(/^\s*[#ℹ]/.test(line) ? cells[1] : cells[4]);
  // coverage.py: `TOTAL  100  10  90%`, with two more columns for branches.
  const python = /^TOTAL(?:\s+\d+){2,4}\s+(\d+(?:\.\d+)?)%$/.exec(line.trim())?.[1];
  if (python !== undefined) return percent(python);
  // cargo llvm-cov: regions, functions, lines, each with total, missed and percent.
  const llvm = /^TOTAL(?:\s+\d+\s+\d+\s+[\d.]+%){2}\s+\d+\s+\d+\s+([\d.]+)%/.exec(line.trim())?.[1];
  if (llvm !== undefined) return percent(llvm);
  const go = /^total:\s+\(statements\)\s+([\d.]+)%$/.exec(line.trim())?.[1];
  if (go !== undefined) return percent(go);
  const tarpaulin = /^([\d.]+)% coverage, \d+\/\d+ lines covered/.exec(line.trim())?.[1];
  return tarpaulin === undefined ? null : percent(tarpaulin);
}

function istanbulSummary(line: string): number | null {
  return percent(/^Lines\s+: ([\d.]+)%/.exec(line.trim())?.[1]);
}

/** Several packages have no common percentage: their mean isn't the coverage. */
function goPackage(line: string): number | null {
  return percent(/^ok\s.*\bcoverage: ([\d.]+)% of statements/.exec(line)?.[1]);
}

/** Sums `LF` and `LH` over all files. */
export function lcov(text: string): number | null {
  if (!/^(?:SF|TN):/m.test(text)) return null;
  const sum = (key: string) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith(key) ? Number(line.slice(key.length)) : []))
      .reduce((all, one) => all + (Number.isFinite(one) ? one : 0), 0);
  const found = sum('LF:');
  return found === 0 ? null : rounded((sum('LH:') * 100) / found);
}

/** Reads the root's `line-rate`, or its line counts if the rate is rounded. */
export function cobertura(text: string): number | null {
  for (const { name, attributes } of tagsIn(text)) {
    if (name !== 'coverage') continue;
    const [covered, valid] = [Number(attributes['lines-covered']), Number(attributes['lines-valid'])];
    if (covered >= 0 && valid > 0) return rounded((covered * 100) / valid);
    return percent(String(Number(attributes['line-rate'] ?? Number.NaN) * 100));
  }
  return null;
}

/** `coverage-summary.json`. */
export function istanbul(text: string): number | null {
  try {
    const report: unknown = JSON.parse(text);
    if (!isObject(report) || !isObject(report.total) || !isObject(report.total.lines)) return null;
    return percent(String(report.total.lines.pct));
  } catch {
    return null;
  }
}

function percent(text: string | undefined): number | null {
  const value = Number(text === undefined || text === '' ? Number.NaN : text);
  return value >= 0 && value <= 100 ? rounded(value) : null;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
