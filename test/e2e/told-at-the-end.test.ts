import { describe, expect, it } from 'vitest';
import { always, claim, makeProject } from '../helpers/cli.ts';

const words = (text: string) => text.replace(/\s+/g, ' ');

describe('what there is to check in work that is done', () => {
  it('is in the report: files outside of the task, with one agent alone', async () => {
    const project = makeProject({
      '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n  - Files: src/parser.ts\n',
      '.ralph/scenario.json': always(
        { action: 'write', path: 'src/parser.ts', content: 'export const parse = 1;\n' },
        { action: 'write', path: 'src/printer.ts', content: 'export const print = 1;\n' },
        claim('src/parser.ts:1 written'),
      ),
    });
    const run = await project.start('run').ended;
    expect(run.code).toBe(0);
    const seen = 'it changed 1 file outside of its paths: src/printer.ts';
    expect(words(run.stdout)).toContain(seen);
    expect(words(project.ralph('report').stdout)).toContain(seen);
    expect(words(project.ralph('report', '--format', 'markdown').stdout)).toContain('src/printer.ts');
  });

  it('is told of a rule of yours that failed: at the end of the attempt, and of the run', async () => {
    const project = makeProject({
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\n\n[review.rules]\ncustom_rules_path = ".ralph/rules.mjs"\n',
      '.ralph/rules.mjs':
        "export default [{ name: 'mine', judge({ action }) { if (action.command?.startsWith('touch')) throw new TypeError('no effects here'); } }];\n",
      '.ralph/scenario.json': JSON.stringify({
        output: 'claude-stream',
        steps: [],
        otherwise: [
          { action: 'shell', command: 'touch other.ts' },
          { action: 'shell', command: 'mkdir -p src && echo parse > src/parser.ts' },
          claim('src/parser.ts:1 written'),
        ],
      }),
    });
    const run = await project.start('run', '--trust').ended;
    expect(run.code).toBe(0);
    const told = words(run.stdout).split(`Your rule "mine" doesn't work, so what it judged was denied`);
    expect(told, run.stdout).toHaveLength(3);
    expect(told[1]).toContain('no effects here');
    expect(told[2]).toContain('no effects here');
    expect(project.json('report')).toMatchObject({
      failed_rules: [expect.stringContaining('no effects here')],
    });
    expect(project.events().map(({ event_type }) => event_type)).toContain('rule_failed');
  });
});
