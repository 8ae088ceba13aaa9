import { type Command, InvalidArgumentError } from 'commander';
import { actionOf, type Call, type Examples, portNumber } from '../call.ts';
import type { PageOptions } from './serve.ts';

export const examples: Examples = {
  page: ['page', 'page ../app ../lib --port 8080'],
};

export function define(program: Command): void {
  program
    .command('page')
    .argument('[dirs...]', 'repositories to add to those with a run in the last 30 days')
    .option('--port <n>', 'port; 0 takes any free one', portNumber, 0)
    .option('--listen <address>', 'serve it at another address than 127.0.0.1, in clear; asks first')
    .option('--origin <url>', 'address of your own TLS proxy before it: https://ralph.example.org', originOf)
    .description('a page that shows what runs, and by which you answer, decide and steer')
    .action(actionOf(run, true));
}

async function run(call: Call, dirs: readonly string[], options: PageOptions): Promise<void> {
  const { servePages } = await import('./serve.ts');
  await servePages(call, dirs, options);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '') return url.origin;
  throw new InvalidArgumentError('Use an address such as https://ralph.example.org.');
}
