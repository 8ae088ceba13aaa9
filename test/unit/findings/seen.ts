import type { FileFact } from '../../../src/domain/claim.ts';
import type { Observed, ObservedAction } from '../../../src/domain/observed.ts';
import type { AttemptSummary } from '../../../src/domain/records/state.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';

/** An action as an agent's stream reports it: `action('file_write', 'src/a.ts')`, `action('system_command', 'npm test')`. */
export function action(
  kind: ObservedAction['kind'],
  what: string,
  rest: Partial<ObservedAction> = {},
): ObservedAction {
  const tool =
    { file_read: 'Read', file_write: 'Write', system_command: 'Bash' }[kind as 'file_read'] ?? kind;
  return {
    atMs: 0,
    tool,
    kind,
    text: `${tool} ${what}`,
    paths: kind === 'system_command' ? [] : [what],
    ok: true,
    ...rest,
  };
}

export function observed(rest: Partial<Observed>): Observed {
  return { ...EMPTY_OBSERVED, ...rest, actionCount: rest.actions?.length ?? 0 };
}

/** Returns an earlier attempt of the series, which failed its gates. */
export function earlier(rest: Partial<AttemptSummary> = {}): AttemptSummary {
  return attemptSummary({
    run: 'r-1',
    iteration: 6,
    agent: 'claude',
    mode: 'speed',
    startedAt: '2026-01-20T20:00:00Z',
    durationMs: 60_000,
    timeoutSeconds: 120,
    verdict: 'gates_failed',
    cause: 'Gate "test" failed.',
    filesChanged: 1,
    failedGates: [],
    tree: 't-other',
    ...rest,
  });
}

export function absent(...paths: string[]): FileFact[] {
  return paths.map((path) => ({ path, exists: false, ignored: false, lines: null }));
}
