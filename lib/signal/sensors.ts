/**
 * Sensors: what kind of fact a signal carries, and what Perceive does with it. The table is the whole truth: a sensor
 * that is not in it does not exist.
 */

/**
 * - `reflex`: answered by code at zero tokens, at once, without waiting for the session's running turn
 * - `reason`: goes to the model, one turn at a time per session
 * - `ingest`: changes memory or the focus and ends; nobody is answered
 * - `drop`:   recorded and ended with a reason
 */
export type Route = 'reflex' | 'reason' | 'ingest' | 'drop';

export const SENSORS = {
  'user-input': 'reason',
  'chat-message': 'reason',
  webhook: 'reason',
  'tool-output': 'reason',
  'tool-error': 'reason',
  'loop-error': 'reason',
  'approval-decided': 'reason',
  'job-due': 'reason',
  'session-summary': 'reason',
  command: 'reflex',
  interrupt: 'reflex',
  resume: 'reflex',
  'approval-decision': 'reflex',
  'send-again': 'reflex',
  'unpaired-chat': 'reflex',
  'over-quota': 'reflex',
  pairing: 'reflex',
  notice: 'reflex',
  'buffer-update': 'ingest',
  'point-update': 'ingest',
  heartbeat: 'drop',
} as const satisfies Record<string, Route>;

export type Sensor = keyof typeof SENSORS;

export const SENSOR_NAMES: readonly Sensor[] = Object.keys(SENSORS).filter((name): name is Sensor => name in SENSORS);

export const routeOf = (sensor: Sensor): Route => SENSORS[sensor];
