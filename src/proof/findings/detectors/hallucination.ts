import { isTestFile } from 'ralph-ecosystems';
import type { ObservedAction } from '../../../domain/observed.ts';
import { type Attempt, lacksFiles } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED } from '../numbers.ts';
import { claimsPassingTests, newestTestRun, type TestRun } from './test-claims.ts';

/**
 * Finds reports of missing files or of test results that records contradict. Only cases without another reading count, so that honest
 * reports pass: a file reported as created or changed, or a test file as run, that is neither in the tree nor in the change set, that no
 * successful action named, and that isn't reported as removed again; and "all tests pass" without exception, when the latest recorded test
 * run failed or, without a recorded run, a test gate fails and counts. Symbols aren't checked, as only names and lengths of files are
 * known.
 */
export function hallucination(attempt: Attempt): Found | null {
  // An attempt that changed nothing made up all its files; the finding `no_files` covers that.
  const files = lacksFiles(attempt) ? [] : missingFiles(attempt);
  const tests = contradictedTests(attempt);
  if (files.length === 0 && tests === null) return null;
  const signs = [
    ...(files.length === 0
      ? []
      : [`${files.slice(0, 5).join(', ')} ${files.length === 1 ? 'does' : 'do'} not exist`]),
    ...(tests === null ? [] : [tests.why]),
  ];
  return {
    severity: 'medium',
    summary: `The report contradicts what is on record: ${signs.join('; ')}.`,
    details: { files: files.slice(0, NAMED), tests },
  };
}

/** Generated and ignored paths, which exist without being in a snapshot. */
const MADE =
  /(?:^|\/)(?:dist|build|out|target|coverage|node_modules|vendor|tmp|temp|logs?|bin|obj|\.[\w.-]+|__pycache__|venv|reports?)(?:\/|$)|(?:^|\/)\.env|\.(?:log|tmp|pyc|db|sqlite3?|zip|tgz|gz|whl|wasm|o|so|class|jar|exe|tsbuildinfo)$/i;
const GONE =
  /\b(?:temporar\w*|temp|scratch|throw-?away|delet\w*|remov\w*|clean\w*|discard\w*|revert\w*|renam\w*|moved?|again)\b/i;
const RAN_TESTS =
  /\b(?:I|we)(?:['’]ve| have)?\s(?:also |then |just |successfully )?(?:ran|tested|executed|verified)\b/i;
const DOUBT =
  /\b(?:not|never|no|without|would|should|will|could|can|cannot|may|might|if|when|once|unless|until|you|would-be|example|missing|non-?existent)\b|n['’]t\b/i;

function missingFiles({ evidence, fileFacts, observed, tampering, earlierPaths }: Attempt): string[] {
  const absent = new Set(
    fileFacts.filter(({ exists, ignored }) => !exists && !ignored).map(({ path }) => path),
  );
  const tampered = new Set(tampering.map(({ path }) => path));
  const missing = evidence.filter(({ item: { path, says, source, note }, standing: status }) => {
    if (!absent.has(path) || status === 'confirmed' || says === 'deleted') return false;
    if (tampered.has(path) || MADE.test(path) || GONE.test(note)) return false;
    // A bare name may mean a file in a folder.
    if (!path.includes('/') && (says !== 'created' || earlierPaths.some((one) => one.endsWith(`/${path}`)))) {
      return false;
    }
    if (observed.actions.some((action) => named(action, path))) return false;
    if (source === 'block' || says !== 'touched') return status === 'contradicted';
    return isTestFile(path) && RAN_TESTS.test(note) && !DOUBT.test(note);
  });
  return [...new Set(missing.map(({ item }) => item.path))];
}

/** A successful action may have created the file, and another one removed it. */
function named({ paths, text, ok }: ObservedAction, path: string): boolean {
  return ok !== false && (paths.includes(path) || text.includes(path));
}

type ContradictedTests = {
  readonly claim: string;
  readonly why: string;
  readonly command: string | null;
  readonly gates: readonly string[];
};

function contradictedTests({ report, observed, gateReport }: Attempt): ContradictedTests | null {
  const claim = claimsPassingTests(report.finalMessage);
  if (claim === null) return null;
  const gates = gateReport.judgements.filter(({ name }) =>
    /(?:^|[^a-z])(?:unit|e2e|py|go|j)?[-_ ]?tests?(?:$|[^a-z])/i.test(name),
  );
  // The gates ran last, and ralph ran them.
  if (gates.length > 0 && gates.every(({ outcome }) => outcome.kind === 'passed')) return null;
  const run: TestRun | null = newestTestRun(observed.results);
  if (run?.passed === false) {
    const why = `"${claim}" is said, and the newest run of ${run.command} failed`;
    return { claim, why, command: run.command, gates: [] };
  }
  const failed = gates
    .filter(({ outcome, counts }) => counts && outcome.kind === 'failed')
    .map(({ name }) => name);
  if (run !== null || failed.length === 0) return null;
  const why = `"${claim}" is said, and ${failed.map((name) => `gate "${name}"`).join(', ')} failed`;
  return { claim, why, command: null, gates: failed };
}
