export { type LastRead, nightOf } from './night.ts';
export { prometheusText } from './prometheus.ts';
export { priceOf, spendOf } from './spend-of.ts';
export { storyOf } from './story.ts';
export { openTranscript, type Transcript, type TranscriptEntry } from './transcript.ts';
