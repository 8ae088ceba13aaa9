import { closing, type Names, placed } from '../exported.ts';

export function goNames(path: string, text: string): Names {
  const { tokens, balanced } = placed(path, text);
  const [declared, members] = [new Set<string>(), new Set<string>()];
  const at = (index: number) => tokens[index]?.text ?? '';
  tokens.forEach((token, index) => {
    if (token.depth !== 0 || token.kind !== 'word') return;
    if (token.text === 'func' && at(index + 1) === '(') {
      const end = closing(tokens, index + 1);
      const receiver = tokens.slice(index + 2, end).filter(({ kind }) => kind === 'word');
      const type = (receiver.length > 1 ? receiver[1] : receiver[0])?.text ?? '';
      members.add(at(end + 1)).add(`${type}.${at(end + 1)}`);
    } else if (token.text === 'func') declared.add(at(index + 1));
    else if (['type', 'var', 'const'].includes(token.text)) {
      if (at(index + 1) !== '(') addList(index + 1);
      else
        for (let inner = index + 2, end = closing(tokens, index + 1); inner < end; inner += 1) {
          if (tokens[inner]?.depth === 1 && isFirstOnLine(inner)) addList(inner);
        }
    }
  });

  function addList(from: number): void {
    declared.add(at(from));
    for (let index = from; at(index + 1) === ','; index += 2) declared.add(at(index + 2));
  }
  function isFirstOnLine(index: number): boolean {
    const before = tokens[index - 1];
    const end = (before?.start ?? 0) + (before?.text.length ?? 0);
    return (
      tokens[index]?.kind === 'word' &&
      (before?.text === ';' || text.slice(end, tokens[index]?.start).includes('\n'))
    );
  }

  const exported = new Set([...declared].filter((name) => /^\p{Lu}/u.test(name)));
  const usesC = /^\s*import\s+"C"/m.test(text);
  const unsure = balanced ? (usesC ? 'it is joined with C' : null) : "its brackets can't be matched";
  return { exported, declared, members, hidden: new Set(), stars: [], unsure };
}
