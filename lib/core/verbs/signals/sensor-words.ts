/** Signals without words of their own, as a person calls them. The page shows these too. Pure. */
import type { Signal } from '../../signal/signal.ts';

export const SENSOR_WORDS = {
  interrupt: 'STOP',
  resume: '/resume',
  'approval-decision': 'a decision about an approval',
  'approval-decided': 'an action that was not approved',
  'send-again': 'a tap on a button below a text',
  'unpaired-chat': 'a message from a chat that is not paired',
  pairing: 'a pairing code',
  'over-quota': 'more messages than a day allows',
  notice: 'a text from me',
  'tool-output': 'the result of an action',
  'tool-error': 'an action that failed',
  'loop-error': 'a failure on the way',
  'session-summary': 'a summary of a conversation',
  'skill-event': 'an event for a skill',
  'buffer-update': 'a text from an editor',
  'point-update': 'the place of a cursor in an editor',
  heartbeat: 'a tick of the clock',
} as const satisfies Readonly<Partial<Record<Signal['payload']['sensor'], string>>>;

const BY_SENSOR: ReadonlyMap<string, string> = new Map(Object.entries(SENSOR_WORDS));

/** @param sensor of a signal's payload; itself if it has no words */
export const sensorWords = (sensor: string): string => BY_SENSOR.get(sensor) ?? sensor;
