import { type Command, Option } from 'commander';
import { lazily, listOf, timeToCome, wholeNumber } from '../call.ts';
import { portNumber } from './look.ts';
import { loopOptions } from './loop-options.ts';

/** What runs attempts on other machines (docs/FLEET.md). */
export function addFleet(fleet: Command): void {
  loopOptions(fleet.command('run'))
    .description('work through the tasks; workers of the fleet make the attempts, and this lands them')
    .option('--task <ids>', 'work at these tasks alone: T-1,T-2', listOf)
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option('--until <time>', 'start no attempt after this time: 07:00, 2h, 2030-01-31T07:00', timeToCome)
    .option('--model <name>', "the model of the run's agent, for this run")
    .option('--workers <n>', 'attempts at once, each at another task', wholeNumber, 4)
    .option('--labels <names>', 'what a worker must have: gpu,linux', listOf)
    .addOption(lease())
    .action(lazily(() => import('../commands/fleet/run.ts'), true));
  fleet
    .command('worker')
    .description('make attempts that a fleet run offers, in this clone, until it is stopped')
    .option('--agent <name>', 'the agent, as ralph run has it')
    .option('--name <name>', 'how it is called; by default after the machine and the process')
    .option('--labels <names>', 'what it has: gpu,linux', listOf)
    .option('--once', 'end after one attempt')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .addOption(lease())
    .action(lazily(() => import('../commands/fleet/worker.ts'), true));
  addControl(fleet);
}

/** As long as an answer of a busy machine takes. */
function lease(): Option {
  return new Option('--lease <seconds>', 'how long a silent worker keeps its job')
    .argParser(wholeNumber)
    .default(30);
}

/** What asks a fleet, or asks something of it. */
function addControl(fleet: Command): void {
  const give = lazily(
    () => import('../commands/fleet/control.ts'),
    ({ action }) => action !== 'status' && action !== 'logs' && action !== 'key',
  );
  for (const [action, what] of [
    ['status', 'who coordinates, who works at what, and what waits'],
    ['pause', 'have workers start no attempt, until ralph fleet resume; what runs continues'],
    ['resume', 'have workers start attempts again'],
    ['doctor', 'check the server, the remote and the workers'],
  ] as const) {
    fleet
      .command(action, { isDefault: action === 'status' })
      .description(what)
      .action((_options, command: Command) => give({ action }, command));
  }
  fleet
    .command('board')
    .option('--port <port>', 'by default one that is free', portNumber, 0)
    .description('serve the queues of the engine on a page of this machine, read-only, until Ctrl-C')
    .action(lazily(() => import('../commands/fleet/board.ts'), false));
  fleet
    .command('key')
    .description('the key of this clone, and those that are enrolled here')
    .action((_options, command: Command) => give({ action: 'key' }, command));
  fleet
    .command('enrol')
    .argument('<key>', 'what ralph fleet key prints there')
    .option('--name <name>', 'what you call that machine')
    .option('--off', 'believe it no longer')
    .description('believe another machine: its jobs, or its results')
    .action((key: string, { name, off = false }, command: Command) =>
      give({ action: 'enrol', key, name: name ?? null, off }, command),
    );
  fleet
    .command('logs')
    .argument('<task>')
    .option('-f, --follow', 'print it as it grows, until the attempt is over')
    .description('what the agent at a task says and does now')
    .action((task: string, { follow = false }, command: Command) =>
      give({ action: 'logs', task, follow }, command),
    );
  fleet
    .command('drain')
    .argument('<worker>', 'its name')
    .description('end a worker after its attempt')
    .action((worker: string, _options, command: Command) => give({ action: 'drain', worker }, command));
  fleet
    .command('cancel')
    .argument('<task>')
    .description('end the attempt at a task, which counts as none, and hold the task back')
    .action((task: string, _options, command: Command) => give({ action: 'cancel', task }, command));
}
