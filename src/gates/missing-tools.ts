import type { GateResult, GateSpec } from '../domain/gate.ts';

type MissingTool = { readonly gate: string; readonly tool: string };

type MissingTools = {
  /** The run must not start (exit 2). */
  readonly fatal: readonly MissingTool[];
  readonly warnings: readonly MissingTool[];
};

/** Tools that the baseline did not find, by `on_missing`; those of `skip` are passed over in silence. */
export function missingTools(results: readonly GateResult[], specs: readonly GateSpec[]): MissingTools {
  const missing = results.flatMap(({ name, outcome }) =>
    outcome.kind === 'tool_missing' ? [{ gate: name, tool: outcome.tool }] : [],
  );
  const handledAs = (onMissing: GateSpec['onMissing']) =>
    missing.filter(
      ({ gate }) => (specs.find(({ name }) => name === gate)?.onMissing ?? 'fail') === onMissing,
    );
  return { fatal: handledAs('fail'), warnings: handledAs('warn') };
}
