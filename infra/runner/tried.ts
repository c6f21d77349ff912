/** The machine of actions that are tried alone: one folder to work in, below a home to read. */

import type { TurnRecords } from '../../lib/core/store/turn-records.ts';
import { NO_RUNNERS } from '../../lib/features/runner/runners.ts';

export const TRIED_RUNNERS: TurnRecords = {
  runners: {
    ...NO_RUNNERS,
    runners: [
      {
        name: 'try',
        publicKey: '',
        slot: 1,
        pairedAt: 0,
        seenAt: 0,
        pairedBy: '',
        isPaused: false,
        allow: {
          hash: '0'.repeat(64),
          home: '/home/you',
          read: ['/home/you'],
          write: ['/home/you/work'],
          programs: [],
          hasNetwork: false,
        },
      },
    ],
  },
};
