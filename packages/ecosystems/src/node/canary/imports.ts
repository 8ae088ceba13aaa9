export type Binding = {
  /** `default`, `*` for the whole module, or a name. */
  readonly imported: string;
  readonly local: string;
};

export type Import = {
  readonly from: string;
  /** Source text, with a closing semicolon. */
  readonly statement: string;
  readonly bindings: readonly Binding[];
};

const STATIC = /^[ \t]*import\s+(?!type\b)(?:([^'";]*?)\s*from\s*)?['"]([^'"\n]+)['"];?/gm;
const CALLED =
  /^[ \t]*(?:(?:const|let|var)\s+(\w+|\{[^}]*\})\s*=\s*)?(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]\s*\)((?:\.\w+)*(?:\(\))?);?/gm;

/** Returns `import`, `require` and `await import` at the start of lines. */
export function importsIn(text: string): Import[] {
  const fixed = [...text.matchAll(STATIC)].map(([statement, clause = '', from = '']) => ({
    from,
    statement: ended(statement),
    bindings: clauseBindings(clause),
  }));
  const called = [...text.matchAll(CALLED)].map(([statement, clause = '', from = '', member = '']) => ({
    from,
    statement: ended(statement),
    bindings: calledBindings(clause, member),
  }));
  return [...fixed, ...called];
}

function ended(statement: string): string {
  return `${statement.trim().replace(/;$/, '')};`;
}

/** `a, { b as c, type D }`, `* as a`. */
function clauseBindings(clause: string): Binding[] {
  const [, first, braces] = /^\s*([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const whole = /\*\s+as\s+([\w$]+)/.exec(clause)?.[1];
  return [
    ...(first === undefined ? [] : [{ imported: 'default', local: first }]),
    ...(whole === undefined ? [] : [{ imported: '*', local: whole }]),
    ...listed(braces ?? '', /\s+as\s+/),
  ];
}

/** `const a = require(…)`, `const { b: c } = require(…)`, `const expect = require('chai').expect`. */
function calledBindings(clause: string, member: string): Binding[] {
  if (clause.startsWith('{')) return listed(clause.slice(1, -1), /\s*:\s*/);
  if (clause === '') return [];
  const last = /\.(\w+)(?:\(\))?$/.exec(member)?.[1];
  return [{ imported: last ?? 'default', local: clause }];
}

function listed(list: string, as: RegExp): Binding[] {
  return list.split(',').flatMap((one) => {
    const [imported = '', local = imported] = one.trim().split(as);
    return imported === '' || imported.startsWith('type ') ? [] : [{ imported, local }];
  });
}
