import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Severity } from 'ralph-kit/severity';
import { expect, expectTypeOf, it } from 'vitest';
import type { AgentEnd } from '../../../src/domain/agent.ts';
import type { GateOutcome, GateResult } from '../../../src/domain/gate.ts';
import type {
  HandlerAnswer,
  HandlerFinding,
  InterventionRecord,
  InterventionType,
  Limits,
  Resources,
} from '../../../src/domain/intervention.ts';
import type { ObservedAction } from '../../../src/domain/observed.ts';
import type { IterationFacts } from '../../../src/domain/records/iteration.ts';
import { openHandlers } from '../../../src/io/handlers/open-handlers.ts';
import type * as handler from '../../../types/handler.d.ts';
import { finishedOf } from '../../helpers/finished.ts';
import { hostOf } from '../../helpers/modules.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/** Matches the first JavaScript in docs/HANDLERS.md. */
const EXAMPLE = /```js\n([\s\S]*?)```/.exec(readFileSync(path('docs/HANDLERS.md'), 'utf8'))?.[1] ?? '';

const change = (name: string, linesAdded: number, linesRemoved: number) => ({
  path: name,
  kind: 'modified' as const,
  linesAdded,
  linesRemoved,
});

it('the example of the documentation does what it says', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'lost-tests.mjs'), EXAMPLE);
  const handlers = openHandlers({
    handlers: { lost_tests: './lost-tests.mjs' },
    strategyModule: '',
    host: hostOf(root, ['./lost-tests.mjs']),
    env: {},
  });
  expect(await handlers.detect({ changes: [change('a.test.ts', 3, 3), change('a.ts', 0, 9)] })).toEqual([
    { issue: 'lost_tests', finding: null, failure: null },
  ]);
  const [detection] = await handlers.detect({ changes: [change('a.test.ts', 1, 3)] });
  expect(detection).toMatchObject({
    failure: null,
    finding: { summary: '1 test file(s) got shorter', details: { paths: ['a.test.ts'] } },
  });
  const question = { details: detection?.finding?.details, history: [] as { issue: string }[] };
  expect(await handlers.intervene({ issue: 'lost_tests' }, question)).toMatchObject({
    failure: null,
    answer: { intervention: 'soft_correction', text: expect.stringContaining('a.test.ts') },
  });
  question.history.push({ issue: 'lost_tests' });
  expect(await handlers.intervene({ issue: 'lost_tests' }, question)).toEqual({
    answer: null,
    failure: null,
  });
});

// What is declared for authors and what ralph has are the same: `tsc` is what checks these.
it('the types for authors are those of ralph', () => {
  type Same<A, B> = { readonly ok: [A, B] extends [B, A] ? true : false };
  const same = <A, B>(_ok: Same<A, B>['ok'] & true) => undefined;
  same<handler.InterventionType, InterventionType>(true);
  same<handler.Severity, Severity>(true);
  same<handler.Limits, Limits>(true);
  same<handler.Resources, Resources>(true);
  same<handler.Action, ObservedAction>(true);
  same<handler.InterventionRecord, InterventionRecord>(true);
  same<handler.Answer, HandlerAnswer>(true);
  same<Required<handler.Finding>['severity'], HandlerFinding['severity']>(true);
  same<keyof handler.Finding, keyof HandlerFinding>(true);
  same<handler.Attempt['end']['kind'], AgentEnd['kind']>(true);
  same<handler.Gate['outcome']['kind'], GateOutcome['kind']>(true);
  expectTypeOf<HandlerFinding>().toExtend<handler.Finding>();
  expectTypeOf<GateResult>().toExtend<handler.Gate>();
  expectTypeOf<IterationFacts['task']>().toExtend<handler.Task>();
  expectTypeOf<IterationFacts['changes']['changes'][number]>().toExtend<handler.Change>();
  type Facts =
    | 'run'
    | 'iteration'
    | 'attempt'
    | 'agent'
    | 'mode'
    | 'startedAt'
    | 'endedAt'
    | 'durationMs'
    | 'end';
  expectTypeOf<Pick<IterationFacts, Facts>>().toExtend<Pick<handler.Attempt, Facts>>();
});

it('the bundled loop ends while a module still runs, and prints nothing of what that prints', async () => {
  const root = temporaryFolder();
  writeFileSync(
    join(root, 'noisy.mjs'),
    `import { spawnSync } from 'node:child_process';
     export async function detect() {
       setInterval(() => console.log('NOISE'), 1);
       process.stdout.write('NOISE');
       console.error('NOISE');
       spawnSync('echo', ['NOISE'], { stdio: 'inherit' });
       return null;
     }`,
  );
  const program = `
    import { openHandlers } from ${JSON.stringify(path('src/io/handlers/open-handlers.ts'))};
    import { openModuleHost, readModules } from ${JSON.stringify(path('src/io/modules/index.ts'))};
    import { systemClock } from ${JSON.stringify(path('src/io/clock.ts'))};
    const root = ${JSON.stringify(root)};
    const modules = readModules(['noisy.mjs'], root);
    const stateHome = root + '/state';
    const host = openModuleHost({ modules, box: () => null, root, stateHome, clock: systemClock(), env: process.env });
    openHandlers({ handlers: { a: 'noisy.mjs' }, strategyModule: '', host, env: {} })
      .detect({})
      .then(async (found) => {
        process.stdout.write(JSON.stringify(found));
        await host.close();
      });
  `;
  await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    outfile: join(root, 'loop.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [join(root, 'loop.cjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
  });
  expect(await finishedOf(child)).toEqual({
    code: 0,
    stdout: '[{"issue":"a","finding":null,"failure":null}]',
    stderr: '',
  });
});
