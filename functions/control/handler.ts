/**
 * Control: stop, resume, approve and deny, apart from streams and the page, which could be busy. A
 * late or duplicate request is the same decision; a 503 accepted nothing.
 */
import { wireControl } from '../../lib/core/edge/console/console-env.ts';
import { answerControl } from '../../lib/core/edge/console/control.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';

const env = readEnvironment('control');
const deps = wireControl('control', env);

export const handler = (event: unknown) => answerControl(deps, event);
