import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { type Agent, agents, hurried } from './given.ts';
import type { Turn } from './model/scenario.ts';
import { says, shell } from './talk.ts';

const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

function html(status: number, title: string, headers = {}): Turn {
  return { kind: 'raw', status, type: 'text/html', body: page(title), headers };
}

const STREAM = { kind: 'raw', status: 200, type: 'text/event-stream' } as const;
const NEVER = says('nobody hears this');

type Trouble = { readonly what: string; readonly turn: Turn; readonly address?: (url: string) => string };

/** What answers every request in place of the model's service. */
const TROUBLES: readonly Trouble[] = [
  { what: 'malformed-events', turn: { ...STREAM, body: 'data: {"type": "mess\n\ndata: {"ty\n\n' } },
  { what: 'malformed-json', turn: { ...STREAM, type: 'application/json', body: '{"id": "x", "cont' } },
  { what: 'empty-answer', turn: { ...STREAM, body: '' } },
  { what: 'cut-each-time', turn: { kind: 'cut', text: 'HALF-AN-ANSWER that ends here.' } },
  { what: 'connection-reset', turn: { kind: 'resets' } },
  { what: 'captive-portal', turn: html(200, 'Welcome to the airport') },
  { what: 'blocked-page', turn: html(403, 'Blocked by your organization') },
  { what: 'bad-gateway-page', turn: html(502, '502 Bad Gateway') },
  { what: 'unavailable-page', turn: html(503, '503 Service Unavailable') },
  {
    what: 'proxy-sign-in',
    turn: html(407, '407 Proxy Authentication Required', { 'proxy-authenticate': 'Basic' }),
  },
  { what: 'connection-refused', turn: NEVER, address: () => 'http://127.0.0.1:9' },
  { what: 'no-tls', turn: NEVER, address: (url) => url.replace('http:', 'https:') },
  { what: 'no-such-host', turn: NEVER, address: () => 'http://model.invalid' },
];

/** Claude takes every 403 for its key, and qwen says of a 503 what it says of a usage limit. */
const VERDICTS: Readonly<Record<string, readonly string[]>> = {
  'blocked-page': ['outage', 'auth'],
  'unavailable-page': ['outage', 'rate_limited'],
};

describe.each(agents().map(hurried))('$name', (agent) => {
  it.each(TROUBLES)('$what is an outage: no failed attempt', async ({ what, turn, address }) => {
    const outcome = await runWith(agent, {
      ...{
        name: what,
        args: ['--no-wait'],
        timeoutSeconds: Math.max(60, agent.givesUpAfter),
        idleSeconds: 0,
      },
      scenario: () => ({ turns: [turn] }),
      ...(address === undefined ? {} : { address }),
    });
    const [record] = outcome.iterations;
    const { end, report, errorTail } = record?.facts ?? {};
    const seen = JSON.stringify({ end, report, errorTail, result: outcome.result }, null, 1);
    expect(VERDICTS[what] ?? ['outage'], seen).toContain(record?.decisions.verdict.kind);
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
      ...{ name, timeoutSeconds: 140, idleSeconds: 0 },
      scenario: () => ({ turns: [...turns] }),
    });
    const [record] = outcome.iterations;
    expect(record?.facts.end).toMatchObject({ kind: 'halted', why: 'endless' });
    expect(record?.decisions.verdict).toMatchObject({ kind: 'agent_error' });
    expect(JSON.stringify(record?.decisions.verdict)).toContain('context limit');
    expect(outcome.alive ?? []).toEqual([]);
  });
});
