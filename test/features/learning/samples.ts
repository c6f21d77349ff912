/** Pieces of evidence that tests of habits start from; a test changes one thing. */

import type { JsonObject } from '../../../lib/core/base/json.ts';
import type {
  AskedAction,
  EarlierOffer,
  FailedCall,
  SaidSentence,
} from '../../../lib/features/learning/habit-evidence.ts';
import { webhookCall } from '../../core/gates/samples.ts';

export const NOW = 1_790_000_000_000;
export const DAY = 86_400_000;

/** The n-th of some approvals, one a day, of a webhook call. */
export const asked = (n: number, changes: Partial<AskedAction> = {}, args?: JsonObject): AskedAction => ({
  id: `tg-1-${n}#0`,
  at: NOW - 10 * DAY + n * DAY,
  isClean: true,
  action: webhookCall({ args: args ?? { webhook: 'deploys', body: { ref: 'main', to: 'production' } }, to: 'deploys' }),
  session: 'telegram:7',
  sensor: 'chat-message',
  ending: 'approved',
  gates: ['permissions'],
  policyVersion: 'v1',
  ...changes,
});

export const withRef = (ref: string): JsonObject => ({ webhook: 'deploys', body: { ref, to: 'production' } });

export const said = (n: number, text: string, changes: Partial<SaidSentence> = {}): SaidSentence => ({
  id: `tg-2-${n}`,
  at: NOW - 10 * DAY + n * DAY,
  isClean: true,
  text,
  ...changes,
});

export const failed = (n: number, changes: Partial<FailedCall> = {}): FailedCall => ({
  id: `tg-3-${n}/1#0`,
  at: NOW - 10 * DAY + n * DAY,
  isClean: true,
  tool: 'call-webhook',
  reason: `the receiver answered 50${n}`,
  ...changes,
});

export const earlier = (shape: string, changes: Partial<EarlierOffer> = {}): EarlierOffer => ({
  shape,
  at: NOW - 2 * DAY,
  ending: 'denied',
  ...changes,
});

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n + 1));
