/** The reader of shell commands and the rules that need it: 180 KB for the first command. */

export { programProblem, scriptProblem } from './command-problem.ts';
export { classifyCommand } from './shell/classify-command.ts';
export { isLauncherFile, readLaunched } from './shell/launchers.ts';
export { shellFactsOf } from './shell-facts.ts';
