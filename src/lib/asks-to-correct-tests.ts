const WRONG = '(?:wrong|incorrect|outdated|stale|obsolete|invalid|mistaken|bad)';
const TEST =
  '(?:tests?|expectations?|assertions?|snapshots?|fixtures?|expected (?:values?|results?|outputs?)|specs?)';
const EXPECTED =
  '(?:expectation|snapshot|expected (?:values?|results?|outputs?|price|sum|total|texts?|messages?|numbers?|counts?|amounts?|answers?|lengths?))';
const CORRECTS = new RegExp(
  `\\b${WRONG} ${TEST}\\b|\\b${TEST}\\b[^.\\n]{0,60}\\b(?:is|are|was|were|has|have) (?:an? |the )?${WRONG}\\b|\\b(?:correct|update|adjust|adapt|rewrite|change|replace) (?:the |its |their |all |existing |old )*(?:\\w+ )?${TEST}\\b|\\b${TEST}\\b[^.\\n]{0,60}\\b(?:expects?|asserts?) (?:the |an? )?${WRONG}\\b|\\b${EXPECTED}\\b[^\\n]{0,60}\\b(?:is|should be|must be|has to be) [^\\n]{1,40}?,? (?:not|instead of|rather than|in place of)\\b`,
  'i',
);

/** Whether the text of a task says that tests are wrong, or are to be changed. */
export function asksToCorrectTests(text: string): boolean {
  return CORRECTS.test(text);
}
