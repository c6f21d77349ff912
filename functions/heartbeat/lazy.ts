/** The modules of a tick that finds something to do, and of a failure that a skill listens to. */

export { handleError } from '../../lib/wings/skills/handle-error.ts';
