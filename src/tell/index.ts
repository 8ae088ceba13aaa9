export { type Asked, askedAbout, askedOf, asksQuestion } from './asked.ts';
export {
  changedText,
  cutOffText,
  FATE_WORD,
  findingText,
  gateRunText,
  lastAttemptText,
  refutedBy,
  stateWord,
} from './attempt.ts';
export {
  answerCommand,
  continueCommand,
  decideCommand,
  FIRST_COMMIT,
  logCommand,
  nextLine,
  RESUME,
  RUN,
  taskOption,
  unblockCommand,
  YOUR_WORDS,
} from './commands.ts';
export { controlCenter } from './control-center.ts';
export { entryLines, gateLine, isPrinted, preflightLines, waitText } from './entry.ts';
export { coordinatorText, waitingTexts } from './fleet.ts';
export { alternativesFor, OPTIONS, type OptionEntry, optionsOf } from './gate-options.ts';
export { actionDetail, gatePanel, gateSections, gateText } from './gate-panel.ts';
export { countsBelow, countsText } from './headline.ts';
export {
  ANSWER_WORD,
  causeText,
  EFFECT,
  failingHead,
  type Item,
  needItems,
  notPushedOf,
  openItems,
  resultItems,
} from './items.ts';
export type { Line, Tone } from './line.ts';
export { budgetText, moneyText, spentParts, spentText } from './money.ts';
export { type Morning, morningOf, notStartedText, TITLES } from './morning.ts';
export { acceptCommand, nextCommands, waitsForYou } from './next-commands.ts';
export { didSomething, type LastRead, nightOf } from './night.ts';
export { endMessage, type Message, waitingMessage } from './notification.ts';
export { openTasks } from './open-tasks.ts';
export { type Outlook, outlookOf } from './outlook.ts';
export { estimateText, whosePlan } from './plan.ts';
export { lastedMs, type ReportFacts, reportRun } from './report.ts';
export {
  detailTexts,
  doneFacts,
  factsText,
  falseClaimsText,
  GRADE_TEXT,
  gradeParts,
  mutantsText,
  NOT_LISTED,
  treeText,
} from './report-text.ts';
export { isNewlySilent, silentText } from './silent.ts';
export { storyOf, storyText } from './story.ts';
export { suggestStrategy } from './suggest-strategy.ts';
export { clock, clockTime, dateTime, localTime, timeLeftText, withLocalTimes } from './times.ts';
export { openTranscript, type Transcript, type TranscriptEntry } from './transcript.ts';
export { unavailableText } from './unavailable.ts';
export { attemptText, endingWord, limitText, percent, short, VERDICT_WORD, words } from './words.ts';
