import type { Command } from 'commander';
import type { FeedbackInput } from '../../app/commands/feedback.ts';
import { callOf } from '../call.ts';

export function feedbackCommand(program: Command): void {
  const feedback = program.command('feedback').description('guidance for the agent');
  feedback
    .command('add')
    .argument('<text...>')
    .option('--task <id>', 'only for this task')
    .description('add guidance to the coming prompts')
    .action((words: string[], { task = null }, command: Command) =>
      give({ action: 'add', text: words.join(' '), task }, command),
    );
  feedback
    .command('list', { isDefault: true })
    .description('what the coming prompts will carry')
    .action((_options, command: Command) => give({ action: 'list', text: '', task: null }, command));
  feedback
    .command('clear')
    .description('remove the guidance that you added')
    .action((_options, command: Command) => give({ action: 'clear', text: '', task: null }, command));
}

async function give(input: Omit<FeedbackInput, 'cwd'>, command: Command): Promise<void> {
  const call = callOf(command);
  const { feedback } = await import('../../app/commands/feedback.ts');
  const { feedbackText } = await import('../render/feedback.ts');
  await call.print(await feedback({ cwd: call.cwd, ...input }), feedbackText);
}
