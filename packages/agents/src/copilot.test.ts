import { describe, expect, it } from 'vitest';
import { ADAPTERS, addToReport, startReport, usageSoFar } from './index.ts';

const { copilot } = ADAPTERS;
const HOOK = { folder: '/state/1', client: 'ask', socket: '/s', token: 't', patienceSeconds: 90 };
const REQUEST = {
  ...{ prompt: 'p', promptFile: '/p.md', cwd: '/repo', model: null, extraArgs: [], env: {}, hook: null },
  ...{
    session: '00000000-0000-8000-8000-000000000001',
    title: 'Write the parser',
    boxed: false,
    reportFile: '/state/report.json',
  },
};

const file = (models: Readonly<Record<string, readonly [number, number, number, number]>>) =>
  JSON.stringify(
    {
      totalPremiumRequestCost: 0,
      modelMetrics: Object.fromEntries(
        Object.entries(models).map(
          ([name, [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens]]) => [
            name,
            { usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens: 9 } },
          ],
        ),
      ),
    },
    null,
    2,
  );

describe('copilot', () => {
  it('begins a session by an id of ours, and continues another by its own', () => {
    const fresh = copilot.plan({ ...REQUEST, resume: null });
    expect(fresh.argv).toContain(REQUEST.session);
    expect(fresh.session).toBe(REQUEST.session);
    const resumed = copilot.plan({ ...REQUEST, resume: 'id-1' });
    expect(resumed.argv).not.toContain('--session-id');
    expect(resumed.session).toBe('id-1');
  });

  it('may name any path where the hook judges it, and only there', () => {
    expect(copilot.plan({ ...REQUEST, resume: null, hook: HOOK }).argv).toContain('--allow-all-paths');
    expect(copilot.plan({ ...REQUEST, resume: null }).argv).not.toContain('--allow-all-paths');
  });

  it('leaves the tokens of its session in a file, by model', () => {
    const { report } = copilot.plan({ ...REQUEST, resume: null });
    expect(report?.path).toBe('/state/report.json');
    const earlierUsage = [
      {
        model: 'a',
        inputTokens: 1000,
        outputTokens: 10,
        cachedTokens: 100,
        cacheWriteTokens: 0,
        costUsd: null,
      },
    ];
    const events = report?.parse(file({ a: [3600, 102, 600, 50], b: [5, 1, 0, 0] })) ?? [];
    const start = startReport({ sessionId: null, requestedModel: null, earlierUsage });
    expect(usageSoFar(events.reduce(addToReport, start))).toEqual([
      {
        model: 'a',
        inputTokens: 2600,
        outputTokens: 92,
        cachedTokens: 500,
        cacheWriteTokens: 50,
        costUsd: null,
      },
      { model: 'b', inputTokens: 5, outputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, costUsd: null },
    ]);
  });

  it.each(['', 'nonsense', '[]', '{"modelMetrics":[1]}', '{"modelMetrics":{"a":null}}'])(
    'reports nothing by a file that says nothing: %s',
    (text) => {
      const events = copilot.plan({ ...REQUEST, resume: null }).report?.parse(text) ?? [];
      expect(usageSoFar(events.reduce(addToReport, startReport()))).toEqual([]);
    },
  );
});

it.each([
  ['claude', 'DISABLE_AUTOUPDATER'],
  ['copilot', 'COPILOT_AUTO_UPDATE'],
  ['opencode', 'OPENCODE_DISABLE_AUTOUPDATE'],
  ['pi', 'PI_SKIP_VERSION_CHECK'],
] as const)('%s does not update itself, unless you say so with %s', (name, variable) => {
  const plan = ADAPTERS[name].plan({ ...REQUEST, resume: null });
  expect(Object.keys(plan.defaults ?? {})).toEqual([variable]);
  expect(plan.env).toEqual({});
});
