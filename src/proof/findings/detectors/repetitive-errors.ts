import { type ErrorPlace, errorIn } from 'ralph-kit/error-line';
import { gravestOf } from 'ralph-kit/severity';
import { shortened } from 'ralph-kit/text';
import type { Observed } from '../../../domain/observed.ts';
import { isOutsideCause } from '../../../domain/verdict.ts';
import { type Attempt, failedGates } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { REPEATED_ERRORS, REPEATED_GATES, severityByCount } from '../numbers.ts';

type RepeatedError = Observed['errors'][number];
type RepeatedGate = ErrorPlace & { readonly gate: string; readonly attempts: number };

const ERROR_QUOTED = 160;

/**
 * Finds a tool error that repeats in one attempt, or a gate that fails in attempts in a row. Errors that the same call later overcame don't
 * count (`openObserver`), nor gates that failed at the baseline.
 */
export function repetitiveErrors(attempt: Attempt): Found | null {
  const gates = repeatedGates(attempt);
  const errors = repeatedErrors(attempt.observed);
  const [error] = errors;
  const [gate] = gates;
  const severities = [
    ...errors.map(({ count }) => severityByCount(count, REPEATED_ERRORS)),
    ...gates.map(({ attempts }) => severityByCount(attempts, REPEATED_GATES)),
  ];
  const severity = gravestOf(severities);
  if (severity === null) return null;
  const signs = [
    ...(error === undefined ? [] : [describeError(error)]),
    ...(gate === undefined ? [] : [`gate "${gate.gate}" failed in ${gate.attempts} attempts in a row`]),
  ];
  return {
    severity,
    summary: `The same step keeps failing: ${signs.join('; ')}.`,
    details: { errors, gates },
  };
}

export function repetitiveErrorsSoFar(observed: Observed): Found | null {
  const errors = repeatedErrors(observed);
  const [error] = errors;
  if (error === undefined) return null;
  return {
    severity: severityByCount(error.count, REPEATED_ERRORS),
    summary: `The same step keeps failing: ${describeError(error)}.`,
    details: { errors, gates: [] },
  };
}

function describeError({ tool, line, path, count }: RepeatedError): string {
  const at = path === null || line.includes(path) ? '' : ` (${path})`;
  return `${tool} ${count} times with "${shortened(line, ERROR_QUOTED)}"${at}`;
}

function repeatedErrors(observed: Observed): RepeatedError[] {
  return observed.errors.filter(({ count }) => count >= REPEATED_ERRORS.from);
}

/** A missing tool is left out: it is missing every time, and blocks the task in its own way. */
function repeatedGates({ gateReport, gates, history }: Attempt): RepeatedGate[] {
  // Gates don't run in an attempt that was cut short from outside.
  const earlier = history.filter(({ verdict }) => !isOutsideCause(verdict)).toReversed();
  return failedGates(gateReport)
    .filter(({ outcome }) => outcome.kind !== 'tool_missing')
    .map(({ name }) => {
      const other = earlier.findIndex(({ failedGates: failed }) => !failed.includes(name));
      const output = gates.find((gate) => gate.name === name)?.outputTail ?? '';
      return { gate: name, attempts: 1 + (other < 0 ? earlier.length : other), ...errorIn(output) };
    })
    .filter(({ attempts }) => attempts >= REPEATED_GATES.from)
    .toSorted((one, another) => another.attempts - one.attempts);
}
