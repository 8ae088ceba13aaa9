import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { ProfileResult } from '../../app/commands/profile.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { unavailableText, withLocalTimes } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  profile: ['profile', 'profile --agent codex'],
};

export function define(program: Command): void {
  program
    .command('profile')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(actionOf(run, ({ reinstate }) => reinstate === true));
}

export async function run(
  call: Call,
  { agent = null, reinstate = false }: { readonly agent?: string | null; readonly reinstate?: boolean },
) {
  const { profile } = await import('../../app/commands/profile.ts');
  await call.print(await profile({ ...call, agent, reinstate }), profileText);
}

export function profileText({ profiles, reinstated }: ProfileResult, terminal: Terminal): string {
  if (profiles.length === 0) return 'No profiles yet; they begin with the first run.';
  return [
    ...(reinstated === null ? [] : [`${reinstated} is reinstated.`]),
    ...profiles.flatMap((profile) => profileLines(profile, terminal)),
  ].join('\n');
}

function profileLines(profile: ProfileResult['profiles'][number], { style, para }: Terminal): string[] {
  const iterations = counted(profile.total_iterations, 'iteration');
  const lines = [
    `${style.bold(profile.agent_id)}: ${iterations}, ${counted(profile.done_count, 'task')} done`,
    `  no files ${profile.no_files_count}, false completions ${profile.false_completion_count}`,
    `  per iteration: ${profile.avg_files_per_iteration.toFixed(1)} files, ${profile.avg_evidence_count.toFixed(1)} pieces of evidence`,
  ];
  if (profile.intervention_threshold_exceeded) {
    lines.push(
      style.yellow('  over its threshold of false claims or attempts without files, in its last iterations'),
    );
  }
  if (profile.intervention_history.length > 0) lines.push('  ralph interventions');
  if (profile.suspended !== null) lines.push(style.red(`  suspended: ${profile.suspended}`));
  if (profile.unavailable !== null) {
    lines.push(
      style.yellow(
        para(withLocalTimes(unavailableText('not available', profile.unavailable), new Date()), '  '),
      ),
    );
  }
  return lines;
}
