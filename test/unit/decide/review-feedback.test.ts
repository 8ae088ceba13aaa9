import { expect, it } from 'vitest';
import { workflowFeedback } from '../../../src/decide/rooms/workflow.ts';
import type { IterationFacts } from '../../../src/domain/records/iteration.ts';
import { NEW_WORKFLOW, type WorkflowDecisions } from '../../../src/domain/workflow/roles.ts';
import { finding } from '../roles/observations.ts';

const FACTS = { iteration: 3, task: { id: 'T-1' }, endedAt: '' } as IterationFacts;
const CATEGORIES = ['security', 'tests', 'design', 'names', 'docs', 'speed'];

/** Returns what the maker is told of so many findings. */
function feedbackOn(count: number): string {
  const findings = Array.from({ length: count }, (_, at) => ({
    role: 'guardian' as const,
    finding: finding({ category: CATEGORIES[at % 6] ?? '', claim: `claim number ${at}` }),
  }));
  const rejected = { roles: ['guardian' as const], why: 'guardian asked for changes' };
  const workflow = { findings, rejected, next: NEW_WORKFLOW } as Pick<
    WorkflowDecisions,
    'findings' | 'rejected' | 'next'
  >;
  return workflowFeedback(FACTS, workflow as WorkflowDecisions)[0]?.text ?? '';
}

const items = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));

it('20 findings are told one by one', () => {
  expect(items(feedbackOn(20))).toHaveLength(20);
});

it('of more the maker is told 5 themes, each with its worst finding', () => {
  const lines = items(feedbackOn(21));
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('design: 4 findings, such as: WARNING src/a.ts');
});
