/** Tools that only a paired machine performs. The offline verifier reads this: no imports. */
export const RUNNER_TOOLS = ['shell', 'read-file', 'write-file', 'edit-file', 'list-files', 'search-files'] as const;
export type RunnerToolName = (typeof RUNNER_TOOLS)[number];

/** The folder in which a command finds the files of a skill. No machine has it on its disk. */
export const SKILL_FOLDER = '/run/passepartout/skill';

/** The machine whose server of tools has this address: `runner://<machine>/`. */
export const machineOf = (url = ''): string | undefined => /^runner:\/\/([a-z][a-z0-9-]{0,31})\/$/.exec(url)?.[1];

export const isRunnerTool = (name: string | undefined): boolean => RUNNER_TOOLS.some((one) => one === name);
