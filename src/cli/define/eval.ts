import { type Command, InvalidArgumentError } from 'commander';
import { lazily, wholeNumber } from '../call.ts';

/** Adds `ralph eval`. */
export function addEval(program: Command): void {
  const command = program
    .command('eval')
    .argument(
      '[suite]',
      'study, poison, liars, honest, proof, or a folder with a suite.json; study by default',
    )
    .option(
      '--arms <list>',
      'baseline, detection, adaptive-timeout, interventions, proof-off, full, checks, proof-tests, or configuration files',
      'baseline,full',
    )
    .option('--seeds <n>', 'repetitions with other dice', atLeastOne, 5)
    .option('--jobs <n>', 'runs at the same time; by default one for each core', atLeastOne)
    .option(
      '--reacts <list>',
      'shares of feedback that the modelled agent reacts to, such as 0,0.5,1',
      shares,
    )
    .option('--cheats <list>', 'shares of attempts in which it cheats, such as 0.1,0.5', shares)
    .option('--out <dir>', 'folder for the results; ralph-eval/SUITE by default')
    .option('--html <file>', 'write the results as a page with charts, too')
    .option('--resume', 'continue an evaluation that was stopped')
    .description('measure what the loop does with a suite of tasks, arm by arm')
    .action(lazily(() => import('../commands/eval/eval.ts'), false));
  command
    .command('compare')
    .argument('<a>', 'a results.json or its folder')
    .argument('<b>', 'another one')
    .description('two results beside each other')
    .action(lazily(() => import('../commands/eval/compare.ts'), false));
  command
    .command('run-unit', { hidden: true })
    .argument('<file>')
    .description('one run of an evaluation')
    .action(lazily(() => import('../commands/eval/run-unit.ts'), false));
}

function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError('Use 1 or more.');
  return value;
}

function shares(text: string): number[] {
  const values = text.split(',').map(Number);
  if (values.some((value) => !(value >= 0 && value <= 1)))
    throw new InvalidArgumentError('Use numbers from 0 to 1 with commas between.');
  return values;
}
