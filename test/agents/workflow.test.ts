import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/domain/workflow/roles.ts';
import { type Outcome, type Place, runWith } from './bench.ts';
import { type Agent, agents } from './given.ts';
import type { Scenario, Turn } from './model/scenario.ts';
import { claim, says, shell, write } from './talk.ts';

/** By words of the prompts that stand in no other one. */
const PROMPTS: readonly (readonly [Role, string])[] = [
  ['guardian', 'You protect what is shipped.'],
  ['sage', 'You look after those who maintain'],
];

type Asked = { readonly role: Role; readonly body: string; readonly results: readonly string[] };

/** A model that answers by the role it is asked in; the turn is the number of results, as in any scenario. */
function byRole(turns: (asked: Asked) => readonly Turn[]): Scenario {
  return {
    turns: [says('nobody hears this')],
    answers: ({ results, body }) => {
      const role = PROMPTS.find(([, words]) => body.includes(words))?.[0] ?? 'maker';
      const all = turns({ role, body, results });
      return all[Math.min(results.length, all.length - 1)] ?? says('');
    },
  };
}

const OFF = 'the greeting does not name the reader';
const ANSWER = {
  approved: { verdict: 'APPROVED', findings: [] },
  rejected: {
    verdict: 'CHANGES_REQUESTED',
    findings: [
      {
        ...{ category: 'correctness', severity: 'WARNING', file: 'src/hello.txt', line: 1, claim: OFF },
        fix: 'name the reader',
      },
    ],
  },
};
const FIRST = 'hello from the agent\n';
const SECOND = 'hello reader from the agent\n';

/** @param body What it was asked, as JSON: quotation marks in its prompt are escaped there. */
function reviews(answer: keyof typeof ANSWER, body: string): readonly Turn[] {
  const nonce = /\\?"nonce\\?": \\?"(\w+)/.exec(body)?.[1];
  const block = JSON.stringify({ nonce, ...ANSWER[answer] });
  return [says('I read it.', shell('cat src/hello.txt')), says(`I have read it.\n\n${block}`)];
}

const DONE = says(`It is there.\n\n${claim('src/hello.txt:1 created')}`);

function makes(place: Place): readonly Turn[] {
  return [
    says('I write the file.', write(place, 'src/hello.txt', FIRST)),
    says('I look at it.', shell('cat src/hello.txt')),
    DONE,
  ];
}

/** What a maker does that was told of the finding; its session may be the one before, with the results of that. */
function fixes(results: readonly string[]): readonly Turn[] {
  const isFixed = results.some((result) => result.includes(SECOND.trim()));
  const fix = shell(`printf '${SECOND.trim()}\\n' > src/hello.txt && cat src/hello.txt`);
  return [isFixed ? DONE : says('I name the reader.', fix)];
}

function standard(guardian: Agent): string {
  return `[workflow]\nkind = "standard"\n\n[workflow.roles.guardian]\nagent = "${guardian.name}"\n`;
}

const rolesOf = ({ iterations }: Outcome, at: number) => iterations[at]?.facts.workflow?.runs ?? [];

const known = agents();
const pairs = [
  ['claude', 'codex'],
  ['codex', 'claude'],
].flatMap(([maker, guardian]) => {
  const found = [maker, guardian].map((name) => known.find((agent) => agent.name === name));
  return found.every((agent) => agent !== undefined) ? [found as [Agent, Agent]] : [];
});

it.skipIf(pairs.length === 0)('claude and codex are both here', () => expect(pairs).toHaveLength(2));

describe.each(pairs.map(([maker, guardian]) => ({ maker, guardian })))(
  'standard with $maker.name as maker and $guardian.name as guardian',
  ({ maker, guardian }) => {
    it('findings reach the maker, and an approval ends it', async () => {
      const outcome = await runWith(maker, {
        name: `standard-findings-of-${guardian.name}`,
        others: [guardian],
        args: ['--max-iterations', '3'],
        config: standard(guardian),
        scenario: (place) =>
          byRole(({ role, body, results }) => {
            if (role === 'maker') return body.includes(OFF) ? fixes(results) : makes(place);
            return reviews(role === 'sage' || body.includes('hello reader') ? 'approved' : 'rejected', body);
          }),
      });
      expect(outcome.code, JSON.stringify(outcome.result)).toBe(0);
      expect(outcome.read('src/hello.txt')).toBe(SECOND);
      const [first, second] = outcome.iterations;
      expect(first?.decisions.verdict).toEqual({ kind: 'changes_requested', roles: ['guardian'] });
      expect(second?.decisions.verdict).toEqual({ kind: 'done' });
      expect(second?.facts.promptText).toContain(OFF);
      const agentsOf = rolesOf(outcome, 0).map(({ role, agent }) => [role, agent]);
      expect(agentsOf).toEqual([
        ['guardian', guardian.name],
        ['sage', maker.name],
      ]);
      const turns = [0, 1].flatMap((at) => rolesOf(outcome, at).flatMap((one) => one.turns));
      expect(turns.map(({ trouble }) => trouble).filter((one) => one !== null)).toEqual([]);
      // What each used is billed to its own agent.
      expect(first?.decisions.workflow?.spend.map(({ agent }) => agent)).toEqual([guardian.name, maker.name]);
      expect(outcome.alive ?? []).toEqual([]);
    });

    it('a review that writes is undone and reported', async () => {
      const outcome = await runWith(maker, {
        name: `standard-review-of-${guardian.name}-writes`,
        others: [guardian],
        config: standard(guardian),
        scenario: (place) =>
          byRole(({ role, body }) => {
            if (role === 'maker') return makes(place);
            if (role === 'sage') return reviews('approved', body);
            return [
              says('I fix it.', shell("printf 'mine now\\n' > src/hello.txt")),
              says('And there.', shell(`printf 'mine now\\n' > '${place.root}/src/hello.txt'`)),
              ...reviews('approved', body).slice(1),
            ];
          }),
      });
      expect(outcome.code, JSON.stringify(outcome.result)).toBe(0);
      expect(outcome.read('src/hello.txt')).toBe(FIRST);
      const [record] = outcome.iterations;
      expect(record?.decisions.verdict).toEqual({ kind: 'done' });
      expect(rolesOf(outcome, 0)[0]).toMatchObject({ role: 'guardian', wroteInCopy: ['src/hello.txt'] });
      expect(record?.decisions.events.map(({ event_type }) => event_type)).toContain('role_wrote');
      expect(outcome.alive ?? []).toEqual([]);
    });
  },
);
