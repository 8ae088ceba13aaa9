import { describe, expect, it } from 'vitest';
import { toolOutputsIn } from '../../../src/lib/scope/tool-outputs.ts';

describe('what tools write', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['node_modules/a/index.js', 'src/a.js'], ['node_modules']],
    [['node_modules'], ['node_modules']],
    [['a/node_modules/b/node_modules/c.js'], ['a/node_modules']],
    [
      ['src/a/__pycache__/x.pyc', 'src/__pycache__/y.pyc'],
      ['src/a/__pycache__', 'src/__pycache__'],
    ],
    [['acme.egg-info/PKG-INFO'], ['acme.egg-info']],
    [['env/pyvenv.cfg', 'env/lib/site.py'], ['env']],
    [['target/CACHEDIR.TAG', 'target/debug/x', 'target/node_modules/y'], ['target']],
    // At the top it would be everything.
    [['pyvenv.cfg', 'src/a.py'], []],
    [['CACHEDIR.TAG'], []],
    [['src/node_modules.js', 'docs/my-node_modules/x', 'venv/main.py', 'dist/a.js', 'build/x'], []],
    [
      ['.coverage', 'src/a.pyc', 'docs/.DS_Store', 'app/tsconfig.tsbuildinfo'],
      ['.coverage', 'src/a.pyc', 'docs/.DS_Store', 'app/tsconfig.tsbuildinfo'],
    ],
    [['coverage/lcov.info', 'coverage/index.html', 'src/coverage/report.ts'], ['coverage']],
    [['src/coverage.py', '.coveragerc', 'app.log', 'src/pyc'], []],
    [[], []],
  ])('%j: %j', (paths, expected) => {
    expect(toolOutputsIn(paths)).toEqual(expected);
  });
});
