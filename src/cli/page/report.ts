import { type Command, Option } from 'commander';
import { actionOf, type Call, type Examples, portNumber } from '../call.ts';
import { type ReportOptions, run as report } from '../commands/report.ts';

export const examples: Examples = {
  report: [
    'report',
    'report --since 18:00',
    'report --list',
    'report r-20300131',
    'report --html night.html',
    'report --serve 8080',
  ],
};

export function define(program: Command): void {
  program
    .command('report')
    .argument('[run]', 'the run, or the beginning of its name; default: everything since your last report')
    .option('--since <time>', 'all runs that ended since then: 18:00, 8h, or a date and time')
    .option('--list', 'the runs on record')
    .addOption(new Option('--html <file>', 'write a self-contained HTML page').conflicts('list'))
    .addOption(
      new Option('--serve [port]', 'serve it on this machine, read-only, until Ctrl-C')
        .argParser(portNumber)
        .conflicts(['list', 'html']),
    )
    .action(actionOf(run, false));
}

/** Runs `ralph report`; the page's code is loaded only when it is served. */
async function run(call: Call, name: string | null = null, options: ReportOptions = {}) {
  await report(call, name, options, async (...given) => (await import('./serve.ts')).serveReport(...given));
}
