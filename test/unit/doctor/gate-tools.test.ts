import { expect, it } from 'vitest';
import { toolOf } from '../../../src/app/doctor/checks/gates.ts';

it.each([
  ['npm test', 'npm'],
  ['CI=1 NODE_ENV=test npx vitest run', 'npx'],
  ['./check.sh --all', './check.sh'],
  ['PATH=venv/bin:$PATH pytest -q', null],
  ['cd web && npm test', null],
  ['[ -e file ]', null],
  ['$RUNNER test', null],
  ['"my tool" x', null],
  ['(npm test)', null],
  ['', null],
])('%j begins with %j', (run, tool) => {
  expect(toolOf(run)).toBe(tool);
});
