import { describe, expect, it } from 'vitest';
import { runWith, type Trial } from './bench.ts';
import { type Agent, agents } from './given.ts';
import type { Turn } from './model/scenario.ts';
import { says, shell } from './talk.ts';

const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

function html(status: number, title: string, headers = {}): Turn {
  return { kind: 'raw', status, type: 'text/html', body: page(title), headers };
}

const STREAM = { kind: 'raw', status: 200, type: 'text/event-stream' } as const;
const NEVER = says('nobody hears this');

type Trouble = readonly [what: string, turn: Turn, address?: Trial['address']];

/** What answers every request in place of the model's service. */
const TROUBLES: readonly Trouble[] = [
  ['malformed-events', { ...STREAM, body: 'data: {"type": "mess\n\ndata: {"ty\n\n' }],
  ['malformed-json', { ...STREAM, type: 'application/json', body: '{"id": "x", "cont' }],
  ['empty-answer', { ...STREAM, body: '' }],
  ['cut-each-time', { kind: 'cut', text: 'HALF-AN-ANSWER that ends here.' }],
  ['connection-reset', { kind: 'resets' }],
  ['captive-portal', html(200, 'Welcome to the airport')],
  ['blocked-page', html(403, 'Blocked by your organization')],
  ['bad-gateway-page', html(502, '502 Bad Gateway')],
  ['unavailable-page', html(503, '503 Service Unavailable')],
  ['proxy-sign-in', html(407, '407 Proxy Authentication Required', { 'proxy-authenticate': 'Basic' })],
  ['connection-refused', NEVER, () => 'http://127.0.0.1:9'],
  ['no-tls', NEVER, (url) => url.replace('http:', 'https:')],
  ['no-such-host', NEVER, () => 'http://model.invalid'],
];

describe.each(agents())('$name', (agent) => {
  it.concurrent.each(TROUBLES)('%s is an outage: no failed attempt', async (name, turn, address) => {
    const outcome = await runWith(agent, {
      ...{ name, args: ['--no-wait'], timeoutSeconds: agent.givesUpAfter },
      scenario: () => ({ turns: [turn] }),
      ...(address === undefined ? {} : { address }),
    });
    const [record] = outcome.iterations;
    const { end, report, errorTail } = record?.facts ?? {};
    const seen = JSON.stringify({ end, report, errorTail, result: outcome.result }, null, 1);
    expect(record?.decisions.verdict.kind, seen).toBe('outage');
    expect(record?.decisions.failedAttempt).toBe(false);
    expect(outcome.code).toBe(9);
    expect(outcome.alive ?? []).toEqual([]);
  });
});

/** Its model takes little more than one answer. */
function withSmallContext(agent: Agent): Agent {
  const files: Agent['files'] = (place) =>
    Object.fromEntries(
      Object.entries(agent.files(place)).map(([name, text]) => [
        name,
        text.replaceAll('10000000', '1100').replaceAll('8192', '100'),
      ]),
    );
  return { ...agent, files };
}

describe.each(agents().filter(({ name }) => name === 'opencode'))('$name with a full context', (agent) => {
  it.each([
    ['compacts-and-talks', [says('I think about it.')]],
    ['compacts-and-works', [says('A step.', shell('echo step >> steps.txt'))]],
  ] as const)('ends with that cause: %s', async (name, turns) => {
    const outcome = await runWith(withSmallContext(agent), {
      ...{ name, timeoutSeconds: 120 },
      scenario: () => ({ turns: [...turns] }),
    });
    const [record] = outcome.iterations;
    expect(record?.facts.end).toMatchObject({ kind: 'halted', why: 'endless' });
    expect(record?.decisions.verdict).toMatchObject({ kind: 'agent_error' });
    expect(JSON.stringify(record?.decisions.verdict)).toContain('context limit');
    expect(outcome.alive ?? []).toEqual([]);
  });
});
