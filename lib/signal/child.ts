/** The signal that another one caused: same turn, same route, one step deeper. Its sender is the system, never a person. Pure. */
import { childId } from './ids.ts';
import { type Payload, SIGNAL_SCHEMA_VERSION, type Signal } from './signal.ts';

/** @param suffix last part of its id, fixed by what it is, so that a repeat makes the same child; @param now epoch milliseconds. */
export const buildChild = (parent: Signal, suffix: string, payload: Payload, now: number): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id: childId(parent.id, suffix),
  type: 'EVENT',
  source: 'system',
  space: parent.space,
  session: parent.session,
  root: parent.root,
  parent: parent.id,
  depth: parent.depth + 1,
  receivedAt: now,
  sender: { id: 'system', isApprover: false },
  reply: parent.reply,
  payload,
});
