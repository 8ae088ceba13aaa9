import { describe, expect, it } from 'vitest';
import { BROKEN, breakCode } from '../../../src/proof/shown/break-code.ts';

const JS = `throw new Error('${BROKEN}');`;
const PYTHON = `raise RuntimeError('${BROKEN}')`;
const JAVA = `if (true) throw new RuntimeException("${BROKEN}");`;

describe('code of which every function fails as it is called', () => {
  it.each<[string, string, string]>([
    ['a.js', 'function f(x) { return x; }\n', `function f(x) { ${JS}  return x; }\n`],
    ['a.js', 'const f = (x) => x + 1;\n', `const f = (x) => (() => { ${JS} })() + x + 1;\n`],
    ['a.js', 'const f = (x) => {\n  return x;\n};\n', `const f = (x) => { ${JS} \n  return x;\n};\n`],
    ['a.js', 'class A {\n  m(x) { return x; }\n}\n', `class A {\n  m(x) { ${JS}  return x; }\n}\n`],
    [
      'a.ts',
      'export function f(x: number): string { return x.toString(); }\n',
      `export function f(x: number): string { ${JS}  return x.toString(); }\n`,
    ],
    [
      'a.py',
      'def f(x: int) -> int:\n    """Says it."""\n    return x\n',
      `def f(x: int) -> int:\n    ${PYTHON}\n    """Says it."""\n    return x\n`,
    ],
    ['a.py', 'async def f(x): return {1: x}\n', `async def f(x): ${PYTHON}; return {1: x}\n`],
    [
      'a.go',
      'func (t T) F(x int) (int, error) {\n\treturn x, nil\n}\n',
      `func (t T) F(x int) (int, error) { panic("${BROKEN}"); \n\treturn x, nil\n}\n`,
    ],
    [
      'a.rs',
      'pub fn f<T>(x: T) -> Option<T> where T: Copy {\n    Some(x)\n}\n',
      `pub fn f<T>(x: T) -> Option<T> where T: Copy { if true { panic!("${BROKEN}"); } \n    Some(x)\n}\n`,
    ],
    [
      'A.java',
      'class A {\n  A(int x) { this(); }\n  int f(int x) throws E {\n    if (x > 1) { return x; }\n    return 0;\n  }\n}\n',
      `class A {\n  A(int x) { this(); }\n  int f(int x) throws E { ${JAVA} \n    if (x > 1) { return x; }\n    return 0;\n  }\n}\n`,
    ],
  ])('%s: %j', (path, text, broken) => {
    expect(breakCode(path, text)).toBe(broken);
  });

  it.each([
    ['what has none', 'a.js', 'export const LIMIT = 5;\n'],
    ['blocks', 'a.js', 'if (x) { y(); }\nfor (const a of b) { c(a); }\n'],
    ['blocks of Go', 'a.go', 'type T struct {\n\tA int\n}\n'],
    ['another language', 'a.rb', 'def f(x)\n  x\nend\n'],
    ['a test', 'test/a.test.js', 'function f(x) { return x; }\n'],
  ])('is not made of %s', (_what, path, text) => {
    expect(breakCode(path, text)).toBeNull();
  });
});
