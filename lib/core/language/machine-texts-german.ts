/** How a paired machine is, in German. Pure. */
import { type PRESENCES as EN, largestUnit, type MachineState } from './machine-texts.ts';

export const PRESENCES: typeof EN = {
  copied: 'pausiert: Zwei Kopien seines Ordners waren am Werk; beide beenden, eine starten und ihn fortsetzen',
  paused: 'pausiert',
  ready: 'bereit',
  stopped: 'beendet',
  away: 'nicht da',
};

const UNITS = { minute: ['Minute', 'Minuten'], hour: ['Stunde', 'Stunden'], day: ['Tag', 'Tagen'] } as const;

const ago = (ms: number): string => {
  const { unit, count } = largestUnit(ms) ?? {};
  return unit === undefined ? 'gerade eben' : `vor ${count} ${UNITS[unit][count === 1 ? 0 : 1]}`;
};

export const machineWords = ({ presence, seenMs }: MachineState): string =>
  `${PRESENCES[presence]}, ${seenMs === undefined ? 'nie gestartet' : `zuletzt gesehen ${ago(seenMs)}`}`;
