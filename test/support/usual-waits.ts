/** Runs before each test file: clocks that a file changed are as usual for the next one. */
import { afterAll } from 'vitest';
import { changedWaits } from '../../lib/core/base/changed-waits.ts';

afterAll(() => {
  Object.assign(changedWaits, { workLookMs: undefined, settingsLookMs: undefined, providerRetryMs: undefined });
});
