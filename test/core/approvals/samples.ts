/** Approvals, grants and signals that tests of approvals start from; a test changes one thing. */
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import type { Grant } from '../../../lib/core/approvals/grant.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import { POLICY_VERSION, webhookCall } from '../gates/samples.ts';

export const NOW = 1_790_000_000_000;
export const HOUR = 3_600_000;
export const APPROVAL_ID = 'ab'.repeat(16);
export const GRANT_ID = 'a1b2c3d4e5f6';

export const signalWith = (payload: Payload, changes: Partial<Signal> = {}): Signal => ({
  schemaVersion: 1,
  id: 'tg-1-9',
  type: 'EVENT',
  source: 'telegram',
  space: 'default',
  session: 'telegram:7',
  root: 'tg-1-9',
  depth: 0,
  receivedAt: NOW,
  sender: { id: 'telegram:7', isApprover: true },
  reply: { target: 'telegram', to: '7' },
  payload,
  ...changes,
});

export const ownerText = (changes: Partial<Signal> = {}): Signal =>
  signalWith({ sensor: 'chat-message', text: [{ text: 'call it', origin: 'owner' }] }, changes);

/** Pending, for one webhook call, with a card in chat 7. */
export const approvalWith = (changes: Partial<Approval> = {}): Approval => {
  const action = changes.action ?? webhookCall();
  return {
    schemaVersion: 1,
    id: APPROVAL_ID,
    space: 'default',
    session: 'telegram:7',
    signalId: 'tg-1-1',
    n: 0,
    action,
    actionHash: actionHash(action),
    policyVersion: POLICY_VERSION,
    reasons: ['it leaves the space'],
    asks: [
      { gate: 'permissions', reason: 'it leaves the space' },
      { gate: 'provenance', reason: 'outside text' },
      { gate: 'permissions', reason: 'once more' },
    ],
    requester: 'telegram:7',
    origin: 'owner',
    state: 'pending',
    createdAt: NOW,
    expiresAtMs: NOW + HOUR,
    cardChat: '7',
    unfinishedSpace: indexPartitions.pendingApprovals('default'),
    unfinishedAt: NOW + HOUR,
    ...changes,
  };
};

/** Live, with ten uses, for the webhook call of the samples, in session telegram:7. */
export const grantWith = (changes: Partial<Grant> = {}): Grant => {
  const { target, tool, to, url, args } = webhookCall();
  return {
    schemaVersion: 1,
    id: GRANT_ID,
    space: 'default',
    session: 'telegram:7',
    policyVersion: POLICY_VERSION,
    gates: ['permissions', 'provenance'],
    target,
    ...(tool === undefined ? {} : { tool }),
    ...(to === undefined ? {} : { to }),
    ...(url === undefined ? {} : { url }),
    ...(args === undefined ? {} : { args }),
    loosened: [],
    usesMax: 10,
    uses: 0,
    state: 'live',
    createdAt: NOW,
    createdBy: 'telegram:7',
    fromSignal: 'tg-1-1',
    fromN: 0,
    expiresAtMs: NOW + 24 * HOUR,
    unfinishedSpace: indexPartitions.grants('default'),
    unfinishedAt: NOW + 24 * HOUR,
    ...changes,
  };
};
