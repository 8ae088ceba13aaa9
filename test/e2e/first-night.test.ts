import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { claim, projectAt } from '../helpers/cli.ts';
import { finishedOf } from '../helpers/finished.ts';
import { ralphOnPath } from '../helpers/ralph-on-path.ts';
import { makeRepository, type TestRepository } from '../helpers/repository.ts';

const documentAt = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const FIRST_NIGHT = documentAt('docs/FIRST_NIGHT.md');
const README = documentAt('README.md');

type Block = { readonly language: string; readonly text: string };

const blocksOf = (document: string): Block[] =>
  [...document.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));

/** What a document asks its reader to type, with the samples that follow it. */
type Passage = { readonly lines: readonly string[]; readonly samples: readonly string[] };

function passagesOf(document: string): Passage[] {
  const passages: { lines: string[]; samples: string[] }[] = [];
  for (const { language, text } of blocksOf(document)) {
    if (language === 'sh') passages.push({ lines: text.trim().split('\n'), samples: [] });
    else if (language === '') passages.at(-1)?.samples.push(text);
  }
  return passages;
}

/**
 * An output without what differs from night to night, machine to machine, and width to width. After midnight 07:00 is
 * today, and stands without its day.
 */
function lasting(text: string): string {
  return text
    .replace(/^\s*box: .*$/m, 'box: BOX')
    .replace(/^\s*on (?:main|master)$/m, 'on BRANCH')
    .replace(/\buntil (?:\d{4}-\d\d-\d\d )?\d\d:\d\d\b/g, 'until CLOCK')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'DATE')
    .replace(/\br-\d{8}-\d{6}-[a-z0-9]{4}\b/g, 'RUN')
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, 'CLOCK')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,10}\b/g, 'COMMIT')
    .replace(/\b\d+(?:\.\d+)? (?:s|min)\b(?: \d+ s\b)?/g, 'TIME')
    .replace(/\s+/g, ' ')
    .trim();
}

const YEAR = 'export const year = (text) => Number(text.slice(0, 4));\n';
const TURNED = YEAR.replace('0, 4', '6, 10');
const MONTH = 'export const month = (text) => Number(text.slice(5, 7));\n';
const WEEKDAY = 'export const weekday = (text) => new Date(text).getUTCDay();\n';
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { year } from '../src/date.js';

test('a year', () => assert.equal(year('2026-11-23'), 2026));
`;

const step = (when: object, ...actions: object[]) => ({ when, do: actions });
const used = (inputTokens: number, outputTokens: number) => ({
  ...{ action: 'usage', input_tokens: inputTokens, output_tokens: outputTokens },
});

/** What the agent of that night does. */
const NIGHT = JSON.stringify({
  output: 'claude-stream',
  steps: [
    step(
      { task: 'T-1', attempt: 1 },
      { action: 'print', text: 'I added month() and all tests pass.' },
      used(18_000, 840),
      claim('src/date.js:2 month'),
    ),
    step(
      { task: 'T-1' },
      { action: 'append', path: 'src/date.js', content: MONTH },
      used(21_000, 1310),
      claim('src/date.js:2 month'),
    ),
    step(
      { task: 'T-2' },
      { action: 'append', path: 'src/date.js', content: WEEKDAY },
      used(19_500, 1120),
      claim('src/date.js:3 weekday'),
    ),
    step(
      { task: 'T-3' },
      { action: 'write', path: 'src/date.js', content: `${TURNED}// attempt {attempt}\n${MONTH}${WEEKDAY}` },
      used(44_000, 1650),
      claim('src/date.js:1 year'),
    ),
    step(
      { task: 'T-4' },
      { action: 'write', path: 'src/calendars.js', content: 'export const attempt = {attempt};\n' },
      used(24_000, 1000),
      { action: 'hang' },
    ),
    step({ task: 'T-5' }, used(21_000, 300), {
      ...{ action: 'status', status: 'BLOCKED', exit_signal: false },
      reason: 'Should README.md be in English or in German? The list does not say.',
    }),
  ],
});

/** The repository of the document's reader, before ralph. */
function readersRepository(): TestRepository {
  const [list] = blocksOf(FIRST_NIGHT).filter(({ language }) => language === 'markdown');
  return makeRepository({
    'package.json': JSON.stringify({ name: 'calendar', type: 'module', scripts: { test: 'node --test' } }),
    'src/date.js': YEAR,
    'test/date.test.js': TEST,
    'README.md': '# Calendar\n',
    '.ralph/PRD.md': list?.text ?? '',
  });
}

const ENV = ralphOnPath();

async function typed(root: string, line: string): Promise<string> {
  // In the order in which a terminal shows it.
  const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], {
    cwd: root,
    env: ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return (await finishedOf(child)).stdout;
}

describe('docs/FIRST_NIGHT.md', () => {
  it('what it says to type works, and prints the samples that it shows', { timeout: 120_000 }, async () => {
    const { root, read, write } = readersRepository();
    // Every run here is decided again at the end of the tests.
    projectAt(root);
    const [, ...passages] = passagesOf(FIRST_NIGHT);
    const outputs: string[] = [];
    for (const { lines, samples } of passages) {
      const said: string[] = [];
      for (const line of lines) said.push(await typed(root, line));
      for (const sample of samples) {
        const where = said.find((output) => lasting(output).includes(lasting(sample)));
        expect(where ?? said.map(lasting).join('\n'), lines.join('; ')).toBe(where);
      }
      outputs.push(...said);
      // The reader has an agent; the document's is the scripted one.
      if (lines.includes('ralph init')) {
        write('.ralph/ralph.toml', read('.ralph/ralph.toml').replace('agent = "auto"', 'agent = "scripted"'));
        write('.ralph/scenario.json', NIGHT);
      }
    }
    expect(outputs.join('\n')).not.toMatch(/^ralph: /m);
  });
});

describe('README.md', () => {
  it('shows the demo as it is', async () => {
    const [first] = passagesOf(README);
    expect(first?.lines).toEqual(['npm ci && npm run build && node bin/ralph.js demo']);
    const { root } = makeRepository();
    expect(lasting(await typed(root, 'ralph demo'))).toContain(lasting(first?.samples[0] ?? 'nothing'));
  });

  it('shows the report and the suggestions of the first night', () => {
    const night = new Set(blocksOf(FIRST_NIGHT).map(({ text }) => text));
    const samples = passagesOf(README).flatMap((passage) => passage.samples);
    const shown = samples.filter((text) => /^\d of \d tasks done|^✖ T-3/.test(text));
    expect(shown).toHaveLength(2);
    expect(shown.filter((text) => !night.has(text))).toEqual([]);
  });
});
