import type { Choices } from '../../app/commands/resume.ts';
import type { IncidentReport } from '../../domain/incident.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { words } from '../../tell/index.ts';

export function optionLines(
  options: readonly Pick<
    IncidentReport['recovery_options'][number],
    'description' | 'command' | 'possible'
  >[],
  { style, para }: Terminal,
): string[] {
  return options.flatMap(({ description, command, possible }) => [
    para(description, '  '),
    // Commands aren't wrapped, so that they can be copied.
    possible ? `    ${style.cyan(command)}` : style.dim('    (not available)'),
  ]);
}

export function choicesText({ incident, options }: Choices, terminal: Terminal): string {
  const { id, issue, severity, task_id, summary, scope } = incident;
  return [
    `${terminal.style.bold(id)} ${words(issue)}, ${severity}, task ${task_id}`,
    terminal.para(summary, '  '),
    '',
    scope === 'run' ? 'Runs are paused until you choose:' : `${task_id} waits until you choose:`,
    ...optionLines(options, terminal),
    '',
    `The whole report: ralph incidents show ${id}`,
  ].join('\n');
}
