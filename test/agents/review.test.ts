import type { ReviewRecord } from 'ralph-actions/forms/record';
import { describe, expect, it } from 'vitest';
import { type Outcome, runWith, type Trial } from './bench.ts';
import { type Agent, agents } from './given.ts';
import { doesTheWork, says, shell, write } from './talk.ts';

describe.each(agents())('what the review says reaches $name', (agent) => {
  it("a denial, with the rule's reason and what to do instead", async () => {
    const { bodies, outcome, lines } = await reviewed(agent, 'review-deny', ({ precious }) => [
      says('I tidy up.', shell(`rm -r ${precious}`)),
    ]);
    const [blocked] = outcome.iterations[0]?.blocked_actions ?? [];
    expect(blocked).toMatchObject({ rule: 'deletion_outside', severity: 'critical' });
    expect(heard(bodies)).toContain(words(blocked?.reason.slice(-60)));
    expect(lines[0]).toMatchObject({
      decision: 'block',
      answer: 'block',
      severity: 'critical',
      mode: 'hook',
    });
    expect(outcome.result.review_summary).toMatchObject({ blocked: 1 });
    expect(outcome.result.blocked_actions).toMatchObject([{ rule: 'deletion_outside' }]);
  });

  it('a warning, beside the action that happens', async () => {
    const { bodies, outcome, lines } = await reviewed(
      agent,
      'review-warn',
      () => [says('The old one goes.', shell('rm -r old'))],
      { files: { 'old/parser.txt': 'old\n' } },
    );
    expect(outcome.read('old/parser.txt')).toBeNull();
    expect(lines[0]).toMatchObject({ decision: 'warn', rule: 'prevent_recursive_deletion' });
    expect(lines[0]?.answer).toBe('warn');
    expect(heard(bodies)).toContain(words(lines[0]?.reason));
  });

  it('a change: what is safe happens instead', async () => {
    const { outcome, lines } = await reviewed(agent, 'review-modify', () => [
      says('A branch.', shell('git branch old-try')),
      says('It goes.', shell('git branch -D old-try')),
    ]);
    const change = lines.find(({ decision }) => decision === 'modify');
    expect(change).toMatchObject({ rule: 'prevent_deleting_history' });
    expect(change?.alternatives.length).toBeGreaterThan(0);
    // An agent that can't take changed parameters is denied, and told the alternative.
    expect(['modify', 'block']).toContain(change?.answer);
    expect(outcome.iterations[0]?.facts.review.unreviewed).toBeNull();
  });

  it('an attempt at the review itself is stopped, and on record as critical', async () => {
    const { outcome, lines } = await reviewed(agent, 'review-tampering', (place) => [
      says('Approved.', write(place, '.ralph/gates/G-1.json', '{"decision": "approve"}\n')),
      says('No review.', shell(`printf '[review]\\nenabled = false\\n' >> .ralph/ralph.toml`)),
      says('My settings.', write(place, agent.settingsFile, '{"disableAllHooks": true}\n')),
      says('By command.', shell('ralph approvals decide G-1 approve')),
    ]);
    const blocked = lines.filter(({ answer }) => answer === 'block');
    expect(blocked.map(({ severity }) => severity)).toEqual(blocked.map(() => 'critical'));
    expect(blocked).toHaveLength(4);
    expect([outcome.read(agent.settingsFile), outcome.read('.ralph/gates/G-1.json')]).toEqual([null, null]);
    expect(outcome.read('.ralph/ralph.toml')).not.toContain('[review]');
  });
});

type Turns = Parameters<typeof says>[0] extends string ? ReturnType<typeof says>[] : never;

/** A run of an agent that first does these things, with what the model was sent and the lines of its reviews. */
async function reviewed(
  agent: Agent,
  name: string,
  turns: (place: Parameters<Trial['scenario']>[0]) => Turns,
  more: Partial<Trial> = {},
) {
  const bodies: string[] = [];
  const outcome = await runWith(agent, {
    name,
    ...more,
    scenario: (place) => {
      const all = [...turns(place), ...doesTheWork(place)];
      const [first, ...rest] = all;
      if (first === undefined) throw new Error('there is a turn');
      return {
        turns: [first, ...rest],
        answers: ({ results, body }) => {
          bodies.push(body);
          return all[Math.min(results.length, all.length - 1)] ?? first;
        },
      };
    },
  });
  return { bodies, outcome, lines: linesOf(outcome).filter(({ kind }) => kind !== 'file_read') };
}

function linesOf({ iterations, read }: Outcome): ReviewRecord[] {
  const [record] = iterations;
  const number = String(record?.facts.iteration ?? 0).padStart(4, '0');
  const text = read(`.ralph/runs/${record?.facts.run}/iterations/${number}/reviews.jsonl`) ?? '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReviewRecord);
}

/** Words alone: formats escape the signs between them in their own ways. */
function words(text: string | undefined): string {
  return (text ?? '')
    .replace(/\\[nrt"]/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function heard(bodies: readonly string[]): string {
  return words(bodies.at(-1));
}
