/**
 * Each tool that changes a record other than memory, with the records that it changes. `verify`
 * accepts a changed job, skill or pairing only if an effect of such a tool made it. A test calls
 * every tool of the catalogue and compares. The offline verifier reads this file, so it imports
 * nothing.
 */
export type ChangedRecord = 'job' | 'skill' | 'runner' | 'mcp-server' | 'chat' | 'grant' | 'policy' | 'setting';

export const CHANGING_TOOLS: Readonly<Record<string, readonly ChangedRecord[]>> = {
  'schedule-job': ['job'],
  'pause-job': ['job'],
  'resume-job': ['job'],
  'remove-job': ['job'],
  'add-skill': ['skill', 'job'],
  'edit-skill': ['skill', 'job'],
  'remove-skill': ['skill', 'job'],
  'switch-skill-jobs': ['job'],
  'accept-offer': ['skill', 'job', 'grant', 'policy'],
  'propose-plan': ['grant'],
  'pair-runner': ['runner'],
  'pause-runner': ['runner'],
  'resume-runner': ['runner'],
  'remove-runner': ['runner'],
  'add-mcp-server': ['mcp-server'],
  'accept-mcp-server': ['mcp-server'],
  'remove-mcp-server': ['mcp-server'],
  'log-in-mcp-server': ['mcp-server'],
  'log-out-mcp-server': ['mcp-server'],
  'remove-chat': ['chat'],
  'change-setting': ['setting'],
  'add-provider': ['setting'],
  'add-local-provider': ['setting'],
  'order-providers': ['setting'],
};

export const mayChange = (tool: string, record: ChangedRecord): boolean =>
  Object.hasOwn(CHANGING_TOOLS, tool) && CHANGING_TOOLS[tool]?.includes(record) === true;
