import { fenced } from 'ralph-kit/markdown';
import { MOST_CHECKS, type ProverCheck } from '../../../domain/prover.ts';
import type { Task } from '../../../domain/task.ts';

const STANCE =
  'You work in a copy of the repository that is thrown away: read what you need, try things out. What you write there is gone.';

export function proverPrompt(task: Task, nonce: string): string {
  return [
    '# Prover',
    `Another agent will do the task below. You write checks that show whether it is done. ${STANCE}`,
    `## Task\n\n${taskText(task)}`,
    `## Rules

- At most ${MOST_CHECKS} checks, each of one criterion, for what a user of the code would notice.
- A check is a command, and new files that it needs. It fails now, and passes once the criterion is met, however that is done: use only names that the task, its criteria or the repository have. Where those don't say how something is called or what exactly comes out, write no check of it.
- Files are new: beside existing tests, with their suffix, or below a folder that doesn't exist yet. A check changes nothing else, and needs no network, no clock and no randomness.
- It fails by what is missing, and not by its own mistake: try it.
- No check is better than a wrong one.`,
    `## Answer

End with exactly one JSON block. \`criterion\`: its number; 0 where the task has none.

${fenced(
  `{"nonce": "${nonce}", "checks": [{"criterion": 1, "command": "node --test test/x.proof.test.js", "files": [{"path": "test/x.proof.test.js", "text": "…"}]}]}`,
  'json',
)}`,
    '',
  ].join('\n\n');
}

type Failing = { readonly at: number; readonly check: ProverCheck; readonly output: string };

export function rulingPrompt(
  task: Task,
  failing: readonly Failing[],
  { diff, nonce }: { readonly diff: string; readonly nonce: string },
): string {
  return [
    '# Prover',
    `Another agent did the task below twice, and these checks of yours failed both times. Is the work wrong, or does a check demand what the task doesn't say? ${STANCE}`,
    `## Task\n\n${taskText(task)}`,
    `## Diff\n\n${fenced(diff, 'diff')}`,
    ...failing.map(({ at, check, output }) =>
      [
        `## Check ${at}, of criterion ${check.criterion}`,
        fenced(check.command, 'sh'),
        ...check.files.map(({ path, text }) => `${path}:\n\n${fenced(text)}`),
        `It printed:\n\n${fenced(output)}`,
      ].join('\n\n'),
    ),
    `## Answer

Keep a check only where the task says what it demands. End with exactly one JSON block:

${fenced(`{"nonce": "${nonce}", "rulings": [{"check": ${failing[0]?.at ?? 0}, "keep": false, "reason": "…"}]}`, 'json')}`,
    '',
  ].join('\n\n');
}

function taskText({ id, title, description, acceptance, notes }: Task): string {
  const criteria = acceptance.map((one, index) => `${index + 1}. ${one}`).join('\n');
  return [
    `**${id}**: ${title}`,
    description.trim(),
    criteria === '' ? '' : `Criteria:\n\n${criteria}`,
    notes.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
