/**
 * The people who may use each tool, and the places; the gate `access` asks. Nobody may use a tool
 * without a row. The right to a command stands with its operation. Pure.
 */
import type { Asker, ChatMemory } from '../../signal/asker.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';

/** `anyone` may write here; an `owner`'s words count as the owner's; an `approver` may approve. */
export type Standing = 'anyone' | 'owner' | 'approver';

/** `named`: private chats, the console, and groups that an approver named for memory. */
export type Where = 'anywhere' | 'named';

export interface ToolRow {
  /** The person, script or system that began the turn or typed the command. */
  readonly who: readonly Asker[];
  readonly where: Where;
}

const ANYONE: readonly Asker[] = ['approver', 'owner', 'member', 'system'];
const OWNER: readonly Asker[] = ['approver', 'owner'];
/** A webhook's turn may propose it; a person is asked. */
const NO_MEMBER: readonly Asker[] = ['approver', 'owner', 'system'];

/** The row of every MCP tool. */
export const MCP_ROW = 'mcp-call';

// biome-ignore format: one row per tool
export const TOOLS: Readonly<Record<string, ToolRow>> = {
  remember:            { who: ANYONE,    where: 'anywhere' },
  recall:              { who: OWNER,     where: 'named' },
  'list-memory':       { who: OWNER,     where: 'named' },
  'edit-memory':       { who: OWNER,     where: 'named' },
  'start-project':     { who: OWNER,     where: 'anywhere' },
  forget:              { who: OWNER,     where: 'anywhere' },
  snapshot:            { who: OWNER,     where: 'anywhere' },
  'auto-save':         { who: OWNER,     where: 'anywhere' },
  rollback:            { who: OWNER,     where: 'named' },
  revert:              { who: OWNER,     where: 'anywhere' },
  ingest:              { who: OWNER,     where: 'named' },
  'ingest-file':       { who: OWNER,     where: 'named' },
  'summarise-session': { who: ['system'], where: 'anywhere' },
  'current-time':      { who: ANYONE,    where: 'anywhere' },
  calculate:           { who: ANYONE,    where: 'anywhere' },
  'run-code':          { who: ANYONE,    where: 'anywhere' },
  'read-output':       { who: ANYONE,    where: 'anywhere' },
  'read-attachment':   { who: ANYONE,    where: 'anywhere' },
  'call-webhook':      { who: ANYONE,    where: 'anywhere' },
  'send-message':      { who: NO_MEMBER, where: 'anywhere' },
  'send-file':         { who: NO_MEMBER, where: 'anywhere' },
  'fetch-url':         { who: OWNER,     where: 'named' },
  'search-web':        { who: OWNER,     where: 'named' },
  shell:               { who: OWNER,     where: 'named' },
  'read-file':         { who: OWNER,     where: 'named' },
  'write-file':        { who: OWNER,     where: 'named' },
  'edit-file':         { who: OWNER,     where: 'named' },
  'list-files':        { who: OWNER,     where: 'named' },
  'search-files':      { who: OWNER,     where: 'named' },
  'add-mcp-server':    { who: OWNER,     where: 'anywhere' },
  'accept-mcp-server': { who: OWNER,     where: 'anywhere' },
  'remove-mcp-server': { who: OWNER,     where: 'anywhere' },
  'list-mcp-servers':  { who: OWNER,     where: 'anywhere' },
  'pair-runner':       { who: OWNER,     where: 'anywhere' },
  'pause-runner':      { who: OWNER,     where: 'anywhere' },
  'resume-runner':     { who: OWNER,     where: 'anywhere' },
  'remove-runner':     { who: OWNER,     where: 'anywhere' },
  'list-runners':      { who: OWNER,     where: 'named' },
  'list-chats':        { who: OWNER,     where: 'named' },
  'remove-chat':       { who: OWNER,     where: 'anywhere' },
  'change-setting':    { who: OWNER,     where: 'anywhere' },
  'add-provider':      { who: OWNER,     where: 'anywhere' },
  'add-local-provider': { who: OWNER,    where: 'anywhere' },
  'try-provider':      { who: OWNER,     where: 'anywhere' },
  'try-local-provider': { who: OWNER,    where: 'anywhere' },
  'order-providers':   { who: OWNER,     where: 'anywhere' },
  'add-skill':         { who: OWNER,     where: 'anywhere' },
  'keep-skill-file':   { who: OWNER,     where: 'anywhere' },
  'remove-skill':      { who: OWNER,     where: 'anywhere' },
  'switch-skill-jobs': { who: OWNER,     where: 'anywhere' },
  'read-skill':        { who: NO_MEMBER, where: 'anywhere' },
  'run-skill':         { who: NO_MEMBER, where: 'anywhere' },
  'edit-skill':        { who: OWNER,     where: 'anywhere' },
  'look-for-habits':   { who: OWNER,     where: 'named' },
  'accept-offer':      { who: OWNER,     where: 'named' },
  'propose-plan':      { who: OWNER,     where: 'anywhere' },
  'schedule-job':      { who: OWNER,     where: 'anywhere' },
  delegate:            { who: OWNER,     where: 'named' },
  'list-jobs':         { who: OWNER,     where: 'named' },
  'pause-job':         { who: OWNER,     where: 'anywhere' },
  'resume-job':        { who: OWNER,     where: 'anywhere' },
  'remove-job':        { who: OWNER,     where: 'anywhere' },
  'run-job':           { who: OWNER,     where: 'anywhere' },
  'list-runbooks':     { who: OWNER,     where: 'named' },
  'run-runbook':       { who: OWNER,     where: 'anywhere' },
  'ask-person':        { who: NO_MEMBER, where: 'anywhere' },
  'give-answer':       { who: NO_MEMBER, where: 'anywhere' },
  'tend-memory':       { who: OWNER,     where: 'named' },
  'mend-memory':       { who: OWNER,     where: 'named' },
  'gather-turns':      { who: OWNER,     where: 'named' },
  'keep-notes':        { who: OWNER,     where: 'named' },
  'pick-notes':        { who: OWNER,     where: 'named' },
  'keep-insight':      { who: OWNER,     where: 'named' },
  'read-notes':        { who: OWNER,     where: 'named' },
  'arrange-notes':     { who: OWNER,     where: 'named' },
  'write-plan':        { who: OWNER,     where: 'named' },
  'run-plan':          { who: OWNER,     where: 'named' },
  'mark-plan':         { who: OWNER,     where: 'anywhere' },
  [MCP_ROW]:           { who: NO_MEMBER, where: 'named' },
};

/** The row of a tool that touches the machine or opens URLs and has no row of its own. */
export const MACHINE_ROW: ToolRow = { who: OWNER, where: 'named' };

/** @returns undefined for an unknown tool. */
export const toolAccess = (name: string): ToolRow | undefined => {
  const row = isMcpTool(name) ? MCP_ROW : name;
  return Object.hasOwn(TOOLS, row) ? TOOLS[row] : undefined;
};

/** Whether this asker may use the tool in this chat. Unknown tools are left to the gates. */
export const mayUseTool = (name: string, asker: Asker, chat: ChatMemory): boolean => {
  const row = toolAccess(name);
  return row === undefined || (row.who.includes(asker) && (row.where === 'anywhere' || chat !== 'closed'));
};
