import { describe, expect, it } from 'vitest';
import { IterationRecord } from '../../src/domain/iteration.ts';
import { decideIteration } from '../../src/loop/decide.ts';
import { attempts, claim, makeProject } from '../helpers/cli.ts';

describe('a recorded iteration', () => {
  it('is decided again from its facts alone, to the same', () => {
    const project = makeProject({
      '.ralph/scenario.json': attempts(
        [claim('src/invented.ts:1-9 nothing')],
        [
          { action: 'write', path: 'parser.js', content: 'parse(\n' },
          { action: 'exit', code: 3 },
        ],
        [{ action: 'write', path: 'parser.js', content: 'parse()\n' }, claim('parser.js:1 parses')],
      ),
    });
    expect(project.ralph('run').code).toBe(0);
    const verdicts = project.iterations().map((number) => {
      const { facts, decisions } = IterationRecord.parse(project.iteration(number));
      const again = JSON.parse(JSON.stringify(decideIteration(facts))) as unknown;
      expect(again).toEqual(decisions);
      return decisions.verdict.kind;
    });
    expect(verdicts).toEqual(['no_files', 'agent_error', 'done']);
  });
});

describe('a blocked task whose mark a person takes away', () => {
  it('gets a new series of attempts', () => {
    const project = makeProject({
      '.ralph/scenario.json': attempts([claim()], [claim()], [claim()], [claim()]),
    });
    expect(project.ralph('run').code).toBe(4);
    project.write('.ralph/PRD.md', project.read('.ralph/PRD.md').replace('[-]', '[ ]'));
    expect(project.ralph('run', '--max-iterations', '1').code).toBe(3);
    expect(project.iteration(4).facts.attempt).toBe(1);
    expect(project.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
  });
});
