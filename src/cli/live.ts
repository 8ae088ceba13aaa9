import { forDoTask } from '../app/for-do-task.ts';
import { panelOf } from '../app/human/panel-of.ts';
import type { Entry } from '../domain/entry.ts';
import { runPrinter, terminalOf } from '../io/ui/index.ts';
import type { Call } from './call.ts';

/** Returns a printer that shows a run while it is active. With `--format json`, only the final document is printed. */
export function livePrinter({ format, color, quiet }: Call, stream: boolean, isLasting = true) {
  const silent = format === 'json';
  const terminal = terminalOf(process.stdout, !color);
  const printer = runPrinter({
    terminal: { ...terminal, fitted: (text) => terminal.fitted(forDoTask(text)) },
    stream: process.stdout,
    quiet,
    words: stream,
    isLasting,
    panelOf,
  });
  let waiting = false;
  const onEntry = (entry: Entry, taskId?: string) => {
    waiting = entry.type === 'wait_started' && (entry.wait.for !== 'agent' || entry.wait.working === 0);
    if (!silent) printer.show(entry, taskId);
  };
  const note = (message: string) => {
    if (!silent) printer.show({ type: 'warned', message });
  };
  const onStop = (which: 'polite' | 'forced' | 'unfinished') => {
    if (which === 'unfinished') note('Ended before everything was saved. The next `ralph run` completes it.');
    else if (waiting) note('Stopping: nothing is running, everything is saved.');
    else if (which === 'forced') note('Ending it now.');
    else
      note(
        'Stopping: what is at work is asked to end, then everything is saved. Press Ctrl-C again to end it now.',
      );
  };
  return { onEntry, note, onStop, hide: printer.hide, dispose: printer.dispose };
}
