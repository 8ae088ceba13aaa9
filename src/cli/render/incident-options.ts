import type { IncidentReport } from '../../domain/incident.ts';
import type { Terminal } from '../../io/ui/index.ts';

/** What you can choose after an emergency stop. */
export function optionLines(
  options: readonly Pick<
    IncidentReport['recovery_options'][number],
    'description' | 'command' | 'possible'
  >[],
  { style, para }: Terminal,
): string[] {
  return options.flatMap(({ description, command, possible }) => [
    para(description, '  '),
    // Never broken: it is there to be copied.
    possible ? `    ${style.cyan(command)}` : style.dim('    (not available)'),
  ]);
}
