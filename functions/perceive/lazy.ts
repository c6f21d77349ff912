/** The modules that Perceive loads with the first signal that a feature answers. */

export { answerMemoryUpdate } from '../../lib/wings/notes/memory-update.ts';
export { answerSkillEvent } from '../../lib/wings/skills/run-handler.ts';
