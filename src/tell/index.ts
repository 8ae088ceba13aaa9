export { type Asked, answerCommand, askedAbout, askedOf, asksQuestion, YOUR_WORDS } from './asked.ts';
export { entryLines, gateLine, isPrinted, preflightLines, waitText } from './entry.ts';
export { alternativesFor, OPTIONS, type OptionEntry, optionsOf } from './gate-options.ts';
export { actionDetail, gatePanel, gateSections, gateText } from './gate-panel.ts';
export { countsText, headlineOf } from './headline.ts';
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
export { budgetText, costLimitText, moneyText, spentParts, spentText } from './money.ts';
export {
  acceptCommand,
  decisionCommand,
  type NextFacts,
  nextCommands,
  resultsThatWait,
  startCommand,
  waitsForYou,
} from './next-commands.ts';
export { didSomething, type LastRead, nightOf } from './night.ts';
export { endMessage, type Message, waitingMessage } from './notification.ts';
export { openTasks } from './open-tasks.ts';
export { type Outlook, outlookOf } from './outlook.ts';
export { countTasks, lastedMs, mergeRuns, type ReportFacts, reportRun } from './report.ts';
export {
  commitsText,
  deniedText,
  detailTexts,
  doneFacts,
  factsText,
  falseClaimsText,
  mutantsText,
  NOT_LISTED,
  perTaskText,
  proposalTexts,
  pushedText,
  refusedHostTexts,
  retriedTexts,
  roleTexts,
  speedUpText,
  timeText,
  treeText,
  uncheckedText,
} from './report-text.ts';
export { isNewlySilent, silentText } from './silent.ts';
export { type StoryEntry, storyOf } from './story.ts';
export { suggestStrategy, taskOption, unblockCommand } from './suggest-strategy.ts';
export {
  clock,
  clockTime,
  clockTimeNow,
  countdown,
  dateTime,
  localTime,
  localTimeNow,
  timeLeftText,
  withLocalTimes,
} from './times.ts';
export { openTranscript, type Transcript, type TranscriptEntry } from './transcript.ts';
export { unavailableText } from './unavailable.ts';
export { attemptText, limitText, percent, short, VERDICT_WORD, words } from './words.ts';
