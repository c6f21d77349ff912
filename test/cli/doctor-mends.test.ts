import { describe, expect, it } from 'vitest';
import { MENDS } from '../../infra/cli/doctor/check.ts';
import { allFindings } from '../../lib/core/verbs/signals/findings.ts';
import { inEnglish } from '../support/findings.ts';
import { mendsIn } from '../support/mends.ts';

const found = { findings: [], isStopped: true, heartbeatAt: 1, oddities: [], deadLetters: 0 };

/** Those of a running stack's table are each provoked in `test/flow/doctor.test.ts`. */
describe('a fault that doctor names', () => {
  it.each([...Object.entries(MENDS), ...inEnglish(allFindings(found, [])).map((words) => [words, words])])(
    'comes with what mends it: %s',
    (_, words) => {
      expect(mendsIn(words)).not.toStrictEqual([]);
    },
  );

  it.each([
    ['put a valid key there', []],
    ['npx passepartout dcotor', []],
    ['see infra/no-such-page.md, or infra/README.md#no-such-heading', []],
    ['chmod go-rwx .env', ['chmod go-rwx ']],
    ['/jobs resume tea', ['/jobs resume tea']],
    ['infra/operating.md#rotate-a-secret', ['infra/operating.md#rotate-a-secret']],
  ])('counts only what exists: %j', (words, mends) => {
    expect(mendsIn(words)).toStrictEqual(mends);
  });
});
