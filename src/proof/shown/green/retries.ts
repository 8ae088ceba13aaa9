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
