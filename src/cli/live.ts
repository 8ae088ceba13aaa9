import type { LoopEvent } from '../domain/loop-event.ts';
import { runPrinter, terminalOf } from '../io/ui/index.ts';
import type { GlobalOptions } from './print.ts';

/** What shows a run while it goes on; with `--format json` nothing but the final document is printed. */
export function livePrinter(options: GlobalOptions, stream: boolean) {
  const silent = options.format === 'json';
  const printer = runPrinter({
    terminal: terminalOf(process.stdout, !options.color),
    write: (text) => process.stdout.write(text),
    quiet: options.quiet === true,
    stream,
  });
  const note = (message: string) => {
    if (!silent) printer.emit({ kind: 'warning', message });
  };
  let waiting = false;
  return {
    emit: (event: LoopEvent) => {
      waiting = event.kind === 'waiting';
      if (!silent) printer.emit(event);
    },
    note,
    onStop: (which: 'polite' | 'forced') =>
      note(
        waiting
          ? 'Stopping: nothing is under way, all is saved.'
          : which === 'polite'
            ? 'Stopping: the agent is asked to end, then everything is saved. Ctrl-C once more ends it at once.'
            : 'Ending the agent now.',
      ),
    dispose: printer.dispose,
  };
}
