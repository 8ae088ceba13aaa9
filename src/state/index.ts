export { eventsToArchive } from './archive.ts';
export { applyRecord, foldRecords } from './fold.ts';
export { importViews } from './import-views.ts';
export {
  currentFeedback,
  eventsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
