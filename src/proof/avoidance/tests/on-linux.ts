/** Names of systems in a condition; those of Linux first. */
const LINUX = /linux|posix|\bunix|\bgnu\b/i;
const OTHERS =
  /darwin|mac_?os|\bmac\b|\bmac(?=x)|osx|is_?mac|win32|windows|["'/^]win|is_?win|\bnt\b|cygwin|mingw|msys|bsd\b|solaris|sunos|\baix\b|plan9|android|\bios\b|haiku|wasm|emscripten|"none"/i;
/** What a condition asks for the system by; a bare name is one of Rust's or Go's. */
const ASKS =
  /platform|GOOS|\bos\b|\bOS\b|\bOs\b|target_|\.name\b|uname|\bis_?(?:linux|windows|mac|osx|darwin|posix|unix|win)|PHP_OS|OperatingSystem|^\s*(?:unix|linux|windows|darwin|\w+bsd|plan9|js|wasm|solaris|aix|android|ios)\s*$/i;

/**
 * Whether a condition is met on Linux, where tests usually count; `null` where it doesn't depend on the system, or on more
 * than that.
 */
export function isMetOnLinux(condition: string): boolean | null {
  const text = unwrapped(condition.trim());
  for (const [word, most] of [
    ['||', true],
    ['&&', false],
  ] as const) {
    const parts = splitAt(text, word);
    if (parts.length > 1) return combined(parts.map(isMetOnLinux), most);
  }
  const [, called, inner] = /^(not|any|all|cfg!?)\s*\(([\s\S]*)\)$/.exec(text) ?? [];
  if (inner !== undefined && called !== 'not')
    return combined(splitAt(inner, ',').map(isMetOnLinux), called === 'any');
  const negated = inner ?? /^(?:!(?![=~])|not\s+)([\s\S]*)$/.exec(text)?.[1];
  if (negated !== undefined) {
    const met = isMetOnLinux(negated);
    return met === null ? null : !met;
  }
  return askedFor(text);
}

function askedFor(text: string): boolean | null {
  if (!ASKS.test(text) || !(LINUX.test(text) || OTHERS.test(text))) return null;
  const differs = /!==?|!~|\bnot in\b|\bis not\b|\bnot_eq\b|\bExclude\b/.test(text);
  return LINUX.test(text) !== differs;
}

function combined(parts: readonly (boolean | null)[], most: boolean): boolean | null {
  if (parts.includes(most)) return most;
  return parts.includes(null) ? null : !most;
}

function unwrapped(text: string): string {
  return text.startsWith('(') && text.endsWith(')') && splitAt(text.slice(1, -1), ')').length === 1
    ? unwrapped(text.slice(1, -1).trim())
    : text;
}

/** At each place of a sign outside of brackets; `and` and `or` are signs, too. */
function splitAt(text: string, sign: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  const plain = text.replace(/\band\b/g, '&&').replace(/\bor\b/g, '||');
  for (let at = 0; at < plain.length; at += 1) {
    if (depth === 0 && plain.startsWith(sign, at)) {
      parts.push('');
      at += sign.length - 1;
      continue;
    }
    if ('([{'.includes(plain[at] ?? '')) depth += 1;
    else if (')]}'.includes(plain[at] ?? '')) depth -= 1;
    parts.push(`${parts.pop() ?? ''}${plain[at] ?? ''}`);
  }
  return parts;
}
