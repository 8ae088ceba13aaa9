import { counts, type Read } from '../read.ts';
import { tagsIn } from '../xml.ts';

/** JUnit XML as all runners write it: each `testcase`, whatever the suites' own sums say. */
export function junit(text: string): Read {
  if (!/<testsuites?\b/.test(text)) return null;
  let skipped = 0;
  const failing: string[] = [];
  const passing: string[] = [];
  let current: { readonly name: string; result: 'passed' | 'failed' | 'skipped' } | null = null;
  const end = () => {
    if (current?.result === 'failed') failing.push(current.name);
    else if (current?.result === 'skipped') skipped += 1;
    else if (current !== null) passing.push(current.name);
    current = null;
  };
  for (const { name, kind, attributes } of tagsIn(text)) {
    if (name === 'testcase') {
      end();
      if (kind !== 'close') current = { name: nameOf(attributes), result: 'passed' };
      if (kind === 'empty') end();
    } else if (current !== null && kind !== 'close') {
      if (name === 'failure' || name === 'error') current.result = 'failed';
      if (name === 'skipped' && current.result === 'passed') current.result = 'skipped';
    }
  }
  end();
  return { tests: counts(passing.length, failing.length, skipped), failing: [...new Set(failing)], passing };
}

function nameOf({ classname = '', name = '' }: Readonly<Record<string, string>>): string {
  return classname === '' || name.startsWith(classname) ? name : `${classname} > ${name}`;
}
