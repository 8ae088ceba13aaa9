export { didSomething, type LastRead, nightOf } from './night.ts';
export { priceOf, spendOf } from './spend-of.ts';
export { storyOf } from './story.ts';
export { openTranscript, type Transcript, type TranscriptEntry } from './transcript.ts';
