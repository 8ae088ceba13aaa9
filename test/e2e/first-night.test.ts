/** @module-tag rest */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { projectAt } from '../helpers/cli.ts';
import { finishedOf } from '../helpers/finished.ts';
import { movedClock } from '../helpers/moved-clock.ts';
import { ralphOnPath } from '../helpers/ralph-on-path.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

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

/** A passage of a document: lines that its reader types, and the samples of output after them. */
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
 * Replaces what differs from night to night, machine to machine and width to width: a duration may be broken over two
 * lines. After midnight, 07:00 is printed without a day.
 */
function lasting(text: string): string {
  return text
    .replace(/^\s*box: .*$/m, 'box: BOX')
    .replace(/^\s*on (?:main|master)$/m, 'on BRANCH')
    .replace(/\s+/g, ' ')
    .replace(/\buntil (?:\d{4}-\d\d-\d\d )?\d\d:\d\d\b/g, 'until CLOCK')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'DATE')
    .replace(/\br-\d{8}-\d{6}-[a-z0-9]{4}\b/g, 'RUN')
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, 'CLOCK')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,10}\b/g, 'COMMIT')
    .replace(/\b\d+(?:\.\d+)? (?:s|min|h)\b(?: \d+ (?:s|min)\b)?/g, 'TIME')
    .trim();
}

/** Returns the text in a picture. */
function textOf(svg: string): string {
  const lines = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = '']) =>
    line.replace(/<[^>]*>/g, ''),
  );
  return lines.join('\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Commands are trusted only where the document says how. */
function env(): NodeJS.ProcessEnv {
  const { RALPH_TRUST: _, ...rest } = ralphOnPath();
  return rest;
}

/**
 * Types a line in a shell and returns the output as a terminal shows it. A line that begins with `cd` is the caller's
 * to carry out.
 */
async function typed(root: string, line: string): Promise<string> {
  // Both outputs go through one pipe, so that their order is that of a terminal.
  const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], {
    cwd: root,
    env: env(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return (await finishedOf(child)).stdout;
}

// Before the first night there are no settings of your own.
beforeAll(() => rmSync(join(process.env.XDG_CONFIG_HOME ?? '', 'ralph'), { recursive: true, force: true }));

/** Returns seconds until 14:00 local time, so that no night of a test reaches the end that it sets. */
function untilAfternoon(): number {
  const at = new Date();
  at.setHours(at.getHours() < 14 ? 14 : 38, 0, 0, 0);
  return Math.round((at.getTime() - Date.now()) / 1000);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('docs/FIRST_NIGHT.md', () => {
  it('can be typed as it stands, from an empty folder', walk);

  it('gives the same morning where attempts are 40 seconds apart and more', async () => {
    // A gate in a box can't read the file that sets the clock.
    vi.stubEnv('RALPH_BOX_MODE', 'off');
    movedClock(40)(untilAfternoon());
    await walk();
  });
});

/** Types what the document says, from an empty folder, and finds the document's samples in the output. */
async function walk(): Promise<void> {
  let place = temporaryFolder();
  const [, ...passages] = passagesOf(FIRST_NIGHT);
  const outputs: string[] = [];
  for (const { lines, samples } of passages) {
    const printed: string[] = [];
    for (const line of lines) {
      if (line.startsWith('cd ')) {
        place = join(place, line.slice('cd '.length));
        // Registers the project, so that its runs are replayed at the end of the tests.
        projectAt(place);
      } else printed.push(await typed(place, line));
    }
    for (const sample of samples) {
      const where = printed.find((output) => lasting(output).includes(lasting(sample)));
      expect(where ?? printed.map(lasting).join('\n'), lines.join('; ')).toBe(where);
    }
    outputs.push(...printed);
  }
  expect(outputs.join('\n')).not.toMatch(/^ralph: /m);
  const [list] = blocksOf(FIRST_NIGHT).filter(({ language }) => language === 'markdown');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: place, encoding: 'utf8' }).stdout;
  const [first] = git('log', '--format=%H', '--reverse').split('\n');
  expect(git('show', `${first}:.ralph/PRD.md`)).toBe(list?.text);
}

describe('README.md', () => {
  it('has the picture of the demo as it is (else: npm run pictures)', async () => {
    const [first] = passagesOf(README);
    expect(first?.lines).toEqual(['npm ci && npm run build && node bin/ralph.js demo']);
    const { root } = makeRepository();
    expect(README).toContain('](docs/pictures/demo.svg)');
    expect(lasting(textOf(documentAt('docs/pictures/demo.svg')))).toBe(
      lasting(`$ ralph demo\n${await typed(root, 'ralph demo')}`),
    );
  });

  it('shows the report and the suggestions of the first night', () => {
    const night = new Set(blocksOf(FIRST_NIGHT).map(({ text }) => text));
    const samples = passagesOf(README).flatMap((passage) => passage.samples);
    const shown = samples.filter((text) => /^\d of \d tasks done|^✖ T-3/.test(text));
    expect(shown).toHaveLength(2);
    expect(shown.filter((text) => !night.has(text))).toEqual([]);
  });
});
