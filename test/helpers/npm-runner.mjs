// Makes small projects of a test runner from npm, one for each column of its recordings.

/**
 * @param runner `packages` to install, a `run`; where tests are: `file`, `other` a second one; `head` in front of a file's tests, `tail` behind
 *   them; how a test is written: `test(name, body)`, with `skip` and `only` in the same form; `more` columns of its own, as files; `same(got, wanted)` is a check.
 */
export function npmRunner(runner) {
  const {
    packages = [],
    run,
    version,
    files = {},
    more = {},
    file,
    other,
    head = '',
    tail = '',
    only,
  } = runner;
  const { test, skip, same, load = "throw new Error('boom');\n", empty = `${head}export {};\n` } = runner;
  const good = (name) => test(name, same(2, 2));
  const three = ['adds', 'subtracts', 'divides'].map(good).join('');
  const broken = test('breaks here', same(1, 2));
  const fileOf = (...tests) => ({ [file]: `${head}${tests.join('')}${tail}` });
  const columns = {
    a: fileOf(three, broken, skip('later', same(1, 2))),
    b: { 'README.md': 'no tests\n' },
    b2: { [file]: empty },
    c: fileOf(skip('later', same(1, 2)), skip('even later', same(1, 2))),
    d: { [file]: `${head}${load}${tail}`, [other]: fileOf(good('adds'))[file] },
    ...(only === undefined
      ? {}
      : { e: fileOf(only('adds', same(2, 2)), broken, ...(runner.three ? [good('subtracts')] : [])) }),
    f: fileOf(three),
    g: fileOf(test('says nothing', '')),
    ...more,
  };
  return {
    needs: packages.length === 0 ? [] : ['command -v npm'],
    packages,
    version,
    run,
    files: { 'package.json': '{"name":"sums","version":"1.0.0","private":true}\n', ...files },
    columns: Object.fromEntries(Object.entries(columns).map(([column, its]) => [column, { files: its }])),
  };
}

/** A test as most write it: `it('adds', () => { … })`. */
export const called =
  (name, parameter = '') =>
  (title, body) =>
    `${name}('${title}', (${parameter}) => {\n${body === '' ? '' : `  ${body}\n`}});\n`;
