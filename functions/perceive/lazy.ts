/** The modules that Perceive loads with the first signal that a feature answers. */

export { answerSkillEvent } from '../../lib/wings/skills/run-handler.ts';
