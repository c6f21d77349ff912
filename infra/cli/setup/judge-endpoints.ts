/** The answers of other sides, as a step of the set-up tells them. */
import { describeClock, type Endpoint } from '../../inspection.ts';
import { MENDS } from '../doctor/check.ts';
import { printable } from '../terminal.ts';
import type { StepCheck } from './step.ts';

const describe = ({ name, detail }: Endpoint): string => `${printable(name)}: ${printable(detail)}.`;

/** An answer says what time it is elsewhere; nothing else here knows. */
const clockLine = (endpoint: Endpoint): string => `Mind that ${printable(describeClock(endpoint))}: ${MENDS.clock}.`;

export const judgeEndpoints = (endpoints: readonly Endpoint[]): StepCheck => ({
  isOk: endpoints.every(({ isReachable, isUnlisted }) => isReachable && isUnlisted !== true),
  isRefused: endpoints.some(({ isRefused }) => isRefused === true),
  lines: [
    ...endpoints.map(describe),
    ...endpoints.filter(({ clockAheadS }) => clockAheadS !== undefined).map(clockLine),
  ],
});

/** Nothing stands in a file yet. */
export const nowhere = (): string => '';
