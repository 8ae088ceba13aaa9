import type { Command } from 'commander';
import { onOneLine, stripControl } from 'ralph-kit/text';
import type {
  HookInstallResult,
  HookListResult,
  HookPlan,
  HookRemoveResult,
} from '../../app/commands/hook/install.ts';
import type { TrustAnswer } from '../../app/setup/check-trust.ts';
import { type Terminal, terminalOf } from '../../io/ui/index.ts';
import type { Place } from '../ask.ts';
import { actionOf, type Call, type Examples, wholeNumber } from '../call.ts';
import { atTerminal } from '../loop-input.ts';

export const examples: Examples = {
  hook: ['hook'],
  'hook install': ['hook install claude', 'hook install codex --max-asks 1 --max-time 120 --yes'],
  'hook remove': ['hook remove claude'],
};

export function define(program: Command): void {
  const hook = program.command('hook');
  const dryRun = ['--dry-run', 'only show what would be written'] as const;
  hook
    .command('install')
    .argument('<agent>', 'an agent that ralph hook list names')
    .option('--max-asks <n>', 'how often in a row the agent is sent back to work', wholeNumber, 3)
    .option('--max-time <seconds>', 'for the gates', wholeNumber, 300)
    .option('-y, --yes', 'without asking')
    .option(...dryRun)
    .summary("Write a stop hook into the agent's settings")
    .description('write a stop hook into the settings of the agent in this repository')
    .action(actionOf(install, true));
  hook
    .command('remove')
    .argument('<agent>', 'an agent that ralph hook list names')
    .option(...dryRun)
    .description('Remove the hook')
    .action(actionOf(remove, true));
  hook
    .command('list', { isDefault: true })
    .description('List agents that can have the hook, or have it')
    .action(actionOf(list, false));
  hook
    .command('run', { hidden: true })
    .argument('<agent>')
    .option('--max-asks <n>', '', wholeNumber, 3)
    .option('--max-time <seconds>', '', wholeNumber, 300)
    .description('Answer the hook of an agent')
    .action(actionOf(answer, false));
}

type Limits = { readonly maxAsks: number; readonly maxTime: number };
type Dry = { readonly dryRun?: boolean };

async function install(call: Call, agent: string, options: Limits & Dry & { readonly yes?: boolean }) {
  const { installHook } = await import('../../app/commands/hook/install.ts');
  const { maxAsks, maxTime, dryRun = false, yes: isAgreed = false } = options;
  const confirm = atTerminal(call)(confirmHook);
  const input = { cwd: call.cwd, agent, dryRun, maxAsks, maxTime, confirm, isAgreed };
  // Lines of settings are printed without wrapping, so that they can be copied.
  await call.print(await installHook(input), installText, true);
}

async function remove(call: Call, agent: string, { dryRun = false }: Dry) {
  const { removeHook } = await import('../../app/commands/hook/install.ts');
  await call.print(await removeHook({ cwd: call.cwd, agent, dryRun }), removeText);
}

async function list(call: Call) {
  const { listHooks } = await import('../../app/commands/hook/install.ts');
  await call.print(await listHooks({ cwd: call.cwd }), listText);
}

/** Answers an agent. On any failure the agent may stop: the hook only advises, and must not block a session. */
async function answer({ cwd }: Call, agent: string, { maxAsks, maxTime }: Limits): Promise<void> {
  try {
    const { answerAgent } = await import('../../app/commands/hook/answer.ts');
    const answered = await answerAgent({ cwd, agent, maxAsks, maxTime });
    if (answered.ok) process.stdout.write(answered.data.output);
    const note = answered.ok ? answered.data.note : answered.message;
    if (note !== null) process.stderr.write(`${stripControl(note)}\n`);
  } catch (error) {
    process.stderr.write(stripControl(`ralph: the work wasn't checked: ${String(error)}\n`));
  }
  process.exitCode = 0;
}

async function confirmHook(plan: HookPlan, place: Place): Promise<TrustAnswer> {
  const { questionsAt, STOPPED } = await import('../ask.ts');
  const terminal = terminalOf(place.output as NodeJS.WriteStream, !place.color);
  place.output.write(`${planText(plan, terminal)}\n`);
  const answer = await questionsAt(place).confirm('Write this?');
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}

function planText({ file, exists, lines }: HookPlan, { para, style }: Terminal): string {
  const what = exists ? `${file} gets these lines; all else in it stays:` : `${file} is made:`;
  return [para(what), ...lines.map((line) => style.green(line))].join('\n');
}

function installText(data: HookInstallResult, terminal: Terminal): string {
  const { para, style } = terminal;
  const { action, agent, file, needs, on_path } = data;
  if (action === 'unchanged') return para(`${agent} has the hook already (${file}).`);
  const path = on_path
    ? []
    : [para("! ralph isn't on your PATH: until it is, the hook does nothing.", '', '  ')];
  if (action === 'would_install') return [planText(data, terminal), ...path].join('\n');
  return [
    para(style.green(`${agent} asks ralph before it stops (${file}).`)),
    para(needs),
    ...path,
    para(
      `Commands that this repository runs are run once you trust them: ralph trust. To take it out: ralph hook remove ${agent}`,
    ),
  ].join('\n');
}

function removeText({ action, agent, file, file_removed }: HookRemoveResult, { para }: Terminal): string {
  if (action === 'absent') return para(`${agent} has no hook of ralph's here (${file}).`);
  const rest = file_removed ? 'and the file, which held nothing else' : 'and nothing else';
  return para(
    action === 'removed'
      ? `Taken out of ${file}: ralph's entries, ${rest}.`
      : `Would be taken out of ${file}: ralph's entries, ${rest}.`,
  );
}

function listText({ hooks }: HookListResult, { para }: Terminal): string {
  const width = Math.max(...hooks.map(({ agent }) => agent.length));
  return hooks
    .map(({ agent, file, installed, problem }) =>
      para(
        `${agent.padEnd(width)}  ${problem === null ? `${installed === true ? 'installed' : 'not installed'} (${file})` : onOneLine(problem)}`,
        '',
        ' '.repeat(width + 2),
      ),
    )
    .join('\n');
}
