import type { WorkflowRole } from '../../domain/workflow/roles.ts';

/**
 * Returns the required form of an answer. Alternatives are written `A | B`, so that a copy of this example isn't a
 * valid answer.
 * @param nonce Code that only this question has, so that text in the change can't be its answer
 */
export const answerFormat = (
  nonce: string,
): string => `End your final message with exactly one JSON block of this form, and no other one:

\`\`\`json
{
  "nonce": ${JSON.stringify(nonce)},
  "verdict": "APPROVED" | "CHANGES_REQUESTED",
  "findings": [
    {
      "category": "security" | "correctness" | "tests" | "design" | "quality" | …,
      "severity": "CRITICAL" | "WARNING" | "INFO",
      "file": "path/to/file.ext",
      "line": 42,
      "claim": "what is wrong, in one sentence",
      "repro": "how to see it (optional)",
      "fix": "what to do (optional)",
      "alternative": "another way (optional)"
    }
  ]
}
\`\`\`

- Repeat \`nonce\` as it is here: it is of this review alone.
- \`line\` is the line as it is now, or null. Severity: CRITICAL must not be shipped, WARNING should be fixed now, INFO can wait.
- CHANGES_REQUESTED needs a finding. With nothing to say, answer APPROVED and an empty list.
- What isn't valid JSON of this form counts as a failed review.`;

const REVIEWED = `## Task

{{task}}

## Plan

{{plan}}

## Findings of the cycle before

{{earlier}}

## Files changed

{{files}}

## Diff

{{diff}}

## Correction (read this first)

{{correction}}

## Answer

{{answer_format}}
`;

const READ_ONLY =
  'You work in a copy of the work tree that is thrown away. Read what you need; do not change files: what you write is undone and reported. Tests and gates run without you.';

function reviewer(title: string, what: string): string {
  return `# ${title}\n\n${what}\n\n${READ_ONLY}\n\n{{stance}}\n\n${REVIEWED}`;
}

const EXPLORER = `# Explorer

You look around before the work on the task below begins. Find where the change belongs, what is there already, and what will get in the way. Read only what the task needs.

${READ_ONLY}

## Task

{{task}}

## Constraints

{{constraints}}

## Correction (read this first)

{{correction}}

## Answer

At most 600 words: the files that matter and the pattern that they follow, the findings that change how the work is done, and one recommendation at the end.
`;

const CREATOR = `# Creator

You write the proposal for the task below: the smallest design that does it well today. The maker follows it and is held to its list of files.

${READ_ONLY}

## Task

{{task}}

## Constraints

{{constraints}}

## What the explorer found

{{exploration}}

## Correction (read this first)

{{correction}}

## Answer

The approach in at most 400 words, the steps, and the tests. End with exactly one JSON block:

\`\`\`json
{ "files": ["every file to add or change, tests included"], "new_abstractions": [], "new_packages": [] }
\`\`\`
`;

/** Templates of roles, from templates/PROMPT_ROLE.md. The maker has the prompt of ordinary attempts. */
export const ROLE_TEMPLATES: Readonly<Record<WorkflowRole, string>> = {
  explorer: EXPLORER,
  creator: CREATOR,
  guardian: reviewer(
    'Guardian',
    'You protect what is shipped. Review the change below for security holes, lost data, broken behaviour and missing tests. CRITICAL is what a senior engineer would block a change for; each finding has a specific fix. The machine itself is sound.',
  ),
  skeptic: reviewer(
    'Skeptic',
    'You question the assumptions of the change below: does it solve the task, is there a simpler way, what does it take for granted? At most 7 challenges, each with an alternative, each within the scope of the task.',
  ),
  trickster: reviewer(
    'Trickster',
    'You break the change below: inputs at the edges, orders of events, failures in the middle. Only changed code, only what can happen, each with steps to reproduce it. At most 5 findings, by likelihood × impact.',
  ),
  sage: reviewer(
    'Sage',
    'You look after those who maintain the change below: names, structure, tests, consistency with the code around it. Only what will hurt within 6 months, each finding with a specific action. Be brief.',
  ),
};
