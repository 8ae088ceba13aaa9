import type { Finding } from '../domain/finding.ts';
import type { KnownCheckpoint } from '../domain/intervention.ts';
import { bullets } from '../lib/markdown.ts';
import { adviceFor } from './advice.ts';
import type { ControlInput } from './input.ts';
import { code, factsOf, requestOf } from './issue-facts.ts';

/** What went wrong, which checkpoint, a different approach; Markdown for the next prompt. */
export function rollbackText(
  findings: readonly Finding[],
  checkpoint: KnownCheckpoint,
  { task, iteration }: ControlInput,
): string {
  return [
    `**ROLLED BACK**: after iteration ${iteration}, the work tree was put back to checkpoint ${code(checkpoint.id)}, the state before iteration ${checkpoint.iteration} (${checkpoint.at}). What was written since then is gone from the tree; do not look for it, and do not rebuild it as it was.`,
    `What went wrong:\n\n${bullets(findings.map((finding) => saidOf(finding, task)))}`,
    `Take a different approach:\n\n${bullets(findings.map(({ type }) => adviceFor(type).otherwise))}`,
    `You were asked for: ${requestOf(task)}`,
  ].join('\n\n');
}

/** For the next prompt where there is nothing to go back to and a person takes over. */
export function noCheckpointText(
  findings: readonly Finding[],
  { task, iteration }: Pick<ControlInput, 'task' | 'iteration'>,
): string {
  return [
    `**NOTE**: after iteration ${iteration}, your work at this task was to be taken back and could not be: a person has looked at it since.`,
    bullets(findings.map((finding) => saidOf(finding, task))),
    `Take a different approach:\n\n${bullets(findings.map(({ type }) => adviceFor(type).otherwise))}`,
  ].join('\n\n');
}

/** What a person can do, the most likely first. */
export function recoveryPlan(findings: readonly Finding[], { task, checkpoints }: ControlInput): string[] {
  return [
    `Look at what the attempts did: git diff, and ralph interventions --task ${task.id}`,
    `See why it was called for: ${findings.map(({ type, summary }) => `${type} (${summary})`).join('; ')}`,
    checkpoints.length === 0
      ? 'There is no checkpoint that can be gone back to without undoing verified work.'
      : `Checkpoints from during the trouble: ${checkpoints.map(({ id }) => id).join(', ')}. Go back to one with: ralph rollback ID`,
    'Mend the work tree by hand, or narrow the task in the task list.',
    `Then hand it back: ralph unblock ${task.id} --reason "what you did"`,
  ];
}

function saidOf(finding: Finding, task: ControlInput['task']): string {
  return adviceFor(finding.type).said(factsOf(finding, task));
}
