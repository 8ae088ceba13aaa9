import { expect, it } from 'vitest';
import { withFolder } from './paths.ts';

const COPY = '/state/slots/c1/files';

it.each([
  ['/w/app', COPY],
  ['/w/app/src\n', `${COPY}/src\n`],
  ['#!/w/app/.venv/bin/python\n', `#!${COPY}/.venv/bin/python\n`],
  ["MAPPING = {'pkg': '/w/app/src/pkg'}", `MAPPING = {'pkg': '${COPY}/src/pkg'}`],
  ['/usr/bin:/w/app/.venv/bin:/w/app', `/usr/bin:${COPY}/.venv/bin:${COPY}`],
  ['-I/w/app/include -L/w/app', `-I${COPY}/include -L${COPY}`],
  ['file:///w/app', `file://${COPY}`],
  ['/w/app-old/src', '/w/app-old/src'],
  ['/w/app.bak', '/w/app.bak'],
  ['/w/application', '/w/application'],
  ['/w/appé', '/w/appé'],
  ['nothing', 'nothing'],
])('%j names the copy: %j', (text, wanted) => {
  expect(withFolder(text, '/w/app', COPY)).toBe(wanted);
});

it('names a folder in the one that it replaces once', () => {
  const inside = '/w/app/.git/ralph/files';
  const once = withFolder('/w/app/src', '/w/app', inside);
  expect([once, withFolder(once, '/w/app', inside)]).toEqual([`${inside}/src`, `${inside}/src`]);
});

it('takes names of folders for what they are', () => {
  expect(withFolder('/w/a+b (1)/src', '/w/a+b (1)', '/$&')).toBe('/$&/src');
});
