import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './work-tree.ts';

export {
  coldTree,
  makeRepository,
  repositoryAt,
  runTestGit,
  type TestRepository,
  temporaryFolder,
} from './work-tree.ts';

// Temporary folders live as long as the tests of one file.
afterAll(removeTemporaryFolders);
