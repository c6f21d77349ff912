/** The reader of shell commands and the rules that need it: 180 KB for the first command. */
export { classifyCommand, SHELL_RULES_VERSION } from '../shell/classify-command.ts';
export { isLauncherFile, readLaunched } from '../shell/launchers.ts';
export { programProblem, scriptProblem } from './command-problem.ts';
