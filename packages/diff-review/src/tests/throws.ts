import { ANY_ERROR, ANY_TEXT, type Token } from 'ralph-ecosystems';
import { argumentsOf, joined, splitAtCommas } from './split.ts';

const NOTHING =
  /\b\w*(?:NoThrow|NO_THROW|DoesNotThrow|DoesNotRaise|NoError|NotPanics|NothingThrown|nothing_raised|returnsNormally|noException|[sS]houldNotThrow)\w*\b|\bnot(?:_to | \. | )(?:to )?(?:raise_?\w*|throw\w*|toThrow\w*)/;
const SOMETHING =
  /\b\w*(?:[tT]hrow|THROW|[rR]aise|[pP]anics|Error|ErrorIs|ErrorAs|ErrorContains|EqualError|rejects|intercept|[fF]ails|[fF]ailure)\w*\b/;

/** Returns whether an assertion demands an error (`true`) or its absence (`false`); `null` for others. */
export function demandsThrow(text: string): boolean | null {
  if (NOTHING.test(text)) return false;
  return SOMETHING.test(text.replace(/"[^"]*"/g, '')) ? true : null;
}

export function ofThrow(negated: boolean, tokens: readonly Token[], name: string): number {
  if (negated) return 1.5;
  const at = tokens.findIndex(({ text }) => text === name);
  const opens = tokens[at + 1]?.text ?? '';
  if (/_ANY_THROW$/.test(name)) return 2;
  const rest =
    opens === '('
      ? argumentsOf(tokens, at + 1).slice(/_THROW$/.test(name) ? 1 : 0)
      : opens === '<' || opens === '['
        ? [tokens.slice(at + 2, at + 3)]
        : splitAtCommas(tokens.slice(at + 1));
  const args = rest
    .map(joined)
    .filter(
      (arg) =>
        !/^(?:t|tb)$/.test(arg) &&
        arg !== '' &&
        !/^(?:\( \)|\|\||function|lambda|async|\{(?! (?:message|name|code)))|=>|->/.test(arg),
    );
  const chained = chainedThrow(tokens);
  if (chained !== null) return chained;
  const [first] = args;
  if (/(?:^|_)(?:error|rejects|Error)$/.test(name) && args.length <= 1) return 2;
  if (first === undefined) return 2;
  const details = args.some(
    (arg) => /^"|^\/|match =|message|^[a-z]+ "|^(?:new )?[A-Z]\w* \( "/.test(arg) && !ANY_TEXT.test(arg),
  );
  if (ANY_TEXT.test(first)) return 2;
  if (details && !ANY_ERROR.test(first)) return 3.6;
  if (ANY_ERROR.test(first)) return details ? 2.6 : 2;
  return 3.1;
}

/** Returns the strength of `assertThatThrownBy(…).isInstanceOf(X.class).hasMessage("…")`, which describes the error after the call. */
function chainedThrow(tokens: readonly Token[]): number | null {
  const at = tokens.findIndex(({ text }) =>
    /^(?:isInstanceOf|isExactlyInstanceOf|hasMessage\w*|WithMessage|hasCauseInstanceOf|TypeOf|InstanceOf|withMessage\w*)$/.test(
      text,
    ),
  );
  const next = tokens[at + 1]?.text;
  if (at < 0 || (next !== '(' && next !== '<')) return null;
  if (/[mM]essage/.test(tokens[at]?.text ?? '')) return 3.6;
  const type = next === '<' ? (tokens[at + 2]?.text ?? '') : joined(argumentsOf(tokens, at + 1)[0] ?? []);
  const more = tokens.slice(at + 2).some(({ text }) => /[mM]essage/.test(text));
  if (ANY_ERROR.test(type)) return more ? 2.6 : 2;
  return more ? 3.6 : 3.1;
}
