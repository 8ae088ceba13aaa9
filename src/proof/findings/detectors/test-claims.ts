import { startsTests, testsStartAt } from 'ralph-ecosystems';
import { shortened } from 'ralph-kit/text';
import type { Observed } from '../../../domain/observed.ts';

/** Characters that are read: `MESSAGE_READ` from the end of a message, `LONGEST_SENTENCE` of a sentence. */
const MESSAGE_READ = 20_000;
const LONGEST_SENTENCE = 400;

const ALL_PASS = [
  /\ball (?:the |of the )?(?:\d+ |automated )?tests (?:are |have |now |were )?(?:now )?(?:pass(?:es|ed|ing)?|green|succeed(?:ed)?)\b(?<rest>.*)/i,
  /\b(?:the )?(?:full|entire|whole|complete) test suite (?:is |now )?(?:now )?(?:pass(?:es|ed|ing)?|green|succeeds?)\b(?<rest>.*)/i,
  /\b(?<passed>\d+)\s?(?:\/|of|out of)\s?(?<total>\d+) tests (?:are )?(?:now )?pass(?:es|ed|ing)?\b(?<rest>.*)/i,
  /^(?:[-*•✓✔✅]\s*)?tests (?:now )?pass(?:ed)?(?<rest>.*)/i,
];

/** Words that make the sentence about another time, a part, or someone else. */
const QUALIFIED =
  /\b(?:not|never|no|none|except|apart|besides|but|however|although|though|while|whereas|would|should|will|shall|could|can|cannot|may|might|must|if|when|once|until|unless|before|previously|already failing|pre-?existing|unrelated|unable|make sure|ensure|expect\w*|want|goal|criteri\w*|acceptance|require\w*|so that|you|other|makes?|to (?:get|have|let|see))\b|n['’]t\b|\?|\[ \]/i;
/** Words after the statement that limit it to some files, a module or a machine. */
const PARTIAL = /^\s*(?:in|for|of|on|under|within|at|with|from|against|only)\b/i;
/** Matches a message that admits failures elsewhere, or reports a run that had to fail, as good work often does. */
const ADMITS_FAILURES =
  /\bfail\w*\b.{0,80}\b(?:without|before|as expected|on purpose|prior)\b|\b(?:without|before|reverted?|stash\w*)\b.{0,80}\bfail|\bstill fail\w*|\b(?:is|are|remains?|keeps?) (?:still )?failing|\bfails? (?:on|in|with|when|because|for|due)\b|\bknown (?:failure|issue)|\bflaky\b/is;

export function claimsPassingTests(message: string): string | null {
  const text = message.slice(-MESSAGE_READ);
  if (ADMITS_FAILURES.test(text)) return null;
  for (const sentence of sentencesOf(text)) {
    if (QUALIFIED.test(sentence)) continue;
    for (const pattern of ALL_PASS) {
      const groups = pattern.exec(sentence)?.groups;
      if (groups === undefined || PARTIAL.test(groups.rest ?? '')) continue;
      if (groups.passed === groups.total) return shortened(sentence.replace(/^[\s\-*•✓✔✅]+/, ''), 120);
    }
  }
  return null;
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let fenced = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && !/^\s*>/.test(line)) {
      for (const sentence of line.split(/(?<=[.!?;])\s+/))
        sentences.push(sentence.trim().slice(0, LONGEST_SENTENCE));
    }
  }
  return sentences;
}

export type TestRun = {
  readonly command: string;
  /** `null`: the output doesn't show the result. */
  readonly passed: boolean | null;
};

const NO_RUN = /\s(?:--help|--version|--list(?:Tests)?|--collect-only|--watch)\b/;
/** Matches a command after the test run, whose result would be the one recorded. */
const FOLLOWED = /(?:\|\|?|&&|;|\n)\s*\S/;
const SAYS_FAILED = [
  /(?:^|[\s,(|:])[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\bfail(?:ed|ures)?[:=]? ?[1-9]/im,
  /\btest result: FAILED|^--- FAIL|^FAIL\s|^FAILED\b/m,
];

export function newestTestRun(results: Observed['results']): TestRun | null {
  const run = results.findLast(({ command }) => startsTests(command) && !NO_RUN.test(command));
  if (run === undefined) return null;
  const { command, ok, tail } = run;
  const behind = command.slice(Math.max(0, testsStartAt(command)) + 1);
  // The rest of a shortened command isn't known.
  const isOwnResult = !FOLLOWED.test(behind) && !command.endsWith('…');
  const passed = SAYS_FAILED.some((pattern) => pattern.test(tail)) ? false : isOwnResult ? ok : null;
  return { command: command.slice(0, 100), passed };
}
