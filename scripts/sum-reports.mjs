// Prints one sum of the JSON reports of test runs, such as "13 passed, 1 failed, 2 skipped": `node
// scripts/sum-reports.mjs REPORT...`. A file that fails without a failing test (it can't be loaded, or its preparation
// fails) counts as one failure, and so does a run that left no report.
import { readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const path of process.argv.slice(2)) {
  const report = read(path);
  if (report === null) {
    sum.failed += 1;
    continue;
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report;
  const failedFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  sum.passed += numPassedTests;
  sum.failed += numFailedTests + failedFiles.length;
  sum.skipped += numPendingTests + numTodoTests;
}
const { passed, failed, skipped } = sum;
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    process.stderr.write(`A run of the tests left no report: ${error.message}\n`);
    return null;
  }
}
