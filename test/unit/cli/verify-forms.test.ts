import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../../src/app/commands/verify.ts';
import { verifyMarkdown } from '../../../src/cli/render/verify/markdown.ts';
import { verifySarif } from '../../../src/cli/render/verify/sarif.ts';
import type { Remark } from '../../../src/domain/verification.ts';

const REMARK: Remark = {
  rule: 'gates',
  level: 'error',
  text: 'it fails',
  path: null,
  line: null,
  excerpt: [],
};

function result(...remarks: Partial<Remark>[]): VerifyResult {
  return {
    ...{ verdict: 'not_verified', what: 'feature since main', base: 'b', head: 'h', duration_ms: 1000 },
    ...{ grade: 'none', files: 1, gates: [], mutants: null, receipt: null },
    remarks: remarks.map((one) => ({ ...REMARK, ...one })),
  };
}

const remarks = fc.array(
  fc.record({
    text: fc.string({ unit: 'binary' }),
    path: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: null }),
    line: fc.option(fc.nat(), { nil: null }),
    level: fc.constantFrom('error' as const, 'warning' as const, 'note' as const),
    excerpt: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
  }),
);

/** What SARIF 2.1.0 asks of what is used here, and what code hosts ask besides. */
function sarifProblems(text: string): string[] {
  const log = JSON.parse(text);
  const [run] = log.runs;
  const { rules } = run.tool.driver;
  const LEVELS = ['none', 'note', 'warning', 'error'];
  const problems: string[] = [];
  const must = (isRight: boolean, what: string) => isRight || problems.push(what);
  must(log.version === '2.1.0' && log.$schema.endsWith('sarif-2.1.0.json') && log.runs.length === 1, 'log');
  must(typeof run.tool.driver.name === 'string' && run.tool.driver.name !== '', 'driver');
  must(new Set(rules.map(({ id }: { id: string }) => id)).size === rules.length, 'rules');
  for (const one of run.results) {
    must(rules[one.ruleIndex]?.id === one.ruleId && LEVELS.includes(one.level), 'rule');
    must(typeof one.message.text === 'string', 'message');
    must(one.locations.length === 1, 'locations');
    const { artifactLocation, region } = one.locations[0].physicalLocation;
    must(/^[\w.~!*'()%/-]+$/.test(artifactLocation.uri) && !artifactLocation.uri.startsWith('/'), 'uri');
    must(region === undefined || (Number.isInteger(region.startLine) && region.startLine >= 1), 'region');
  }
  for (const { executionSuccessful, toolExecutionNotifications } of run.invocations) {
    must(typeof executionSuccessful === 'boolean', 'invocation');
    for (const one of toolExecutionNotifications)
      must(LEVELS.includes(one.level) && typeof one.message.text === 'string', 'notification');
  }
  return problems;
}

describe('SARIF', () => {
  it('is whole, whatever the work is called and says', () => {
    fc.assert(
      fc.property(remarks, (some) => {
        const inside = some.filter(({ path }) => path === null || !path.startsWith('/'));
        expect(sarifProblems(verifySarif(result(...inside)))).toEqual([]);
      }),
    );
  });

  it('has a result for what has a place, and a notification for what has none', () => {
    const [run] = JSON.parse(verifySarif(result({ path: 'src/a b.js', line: 3 }, { text: 'nowhere' }))).runs;
    expect(run.results).toMatchObject([
      {
        ruleId: 'gates',
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'src/a%20b.js' }, region: { startLine: 3 } } },
        ],
      },
    ]);
    const [, notification] = run.invocations[0].toolExecutionNotifications;
    expect(notification).toMatchObject({ level: 'error', message: { text: 'nowhere' } });
  });
});

describe('Markdown', () => {
  it('has no markup, link or mention of the repository in it', () => {
    const text = '<img src=x> [a](https://b.example) @maintainers #12 | **b** `c` www.d.example';
    const comment = verifyMarkdown(result({ text, excerpt: ['```', '<script>'] }));
    const [outside = ''] = comment.split('````');
    expect(outside).not.toMatch(/<img|[^\\]\]\(|@m|[^\\]#12|https:\/\/|www\.d|[^\\]`c/);
    expect(comment).toContain('````\n  ```\n  <script>\n  ````');
  });

  it('is bounded', () => {
    const many = Array.from({ length: 30 }, () => ({ text: 'a'.repeat(3000), excerpt: ['b'.repeat(500)] }));
    expect(verifyMarkdown(result(...many)).length).toBeLessThan(65_000);
  });
});
