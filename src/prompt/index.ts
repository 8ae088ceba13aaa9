export { BUILT_IN_TEMPLATE, EVIDENCE_HEADING, FEEDBACK_HEADING } from './built-in-template.ts';
export { type FeedbackInput, feedbackFor } from './feedback-for.ts';
export { MIN_FEEDBACK_CHARS, renderFeedback, selectFeedback } from './feedback-select.ts';
export { saysSomething } from './prompt-values.ts';
export { reinforcement } from './reinforcement.ts';
export { type PromptInput, renderPrompt } from './render-prompt.ts';
export { PROMPT_VARIABLES } from './variables.ts';
export { withoutExamples } from './without-examples.ts';
