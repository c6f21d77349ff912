/**
 * Who may use each command and each tool, and where: the one table that Perceive asks about
 * commands (`command-rights.ts`) and the gate `access` about tool calls. A name without a row does
 * not exist for anybody. Pure.
 */
import type { Asker, ChatMemory } from '../../signal/asker.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';

/**
 * `anyone` is everybody who may write here, `owner` somebody whose words count as the owner's (a
 * script with that scope, or an approver).
 */
export type Standing = 'anyone' | 'owner' | 'approver';

/**
 * `named`: private chats, the console, and groups an approver named for memory (`/memory open`,
 * `/memory ask`).
 */
export type Where = 'anywhere' | 'named';

export interface CommandRow {
  readonly needs: Standing;
  /** Given alone, or with this word, it only shows something, and this is enough. */
  readonly show?: { readonly needs: Standing; readonly word?: string };
  /** Anywhere where it is not said. */
  readonly where?: Where;
}

export const COMMANDS = {
  help: { needs: 'anyone' },
  start: { needs: 'anyone' },
  pair: { needs: 'anyone' },
  status: { needs: 'owner' },
  budget: { needs: 'owner' },
  cost: { needs: 'owner' },
  why: { needs: 'owner' },
  remember: { needs: 'anyone' },
  recall: { needs: 'owner', where: 'named' },
  memory: { needs: 'owner', where: 'named' },
  snapshots: { needs: 'owner', where: 'named' },
  diff: { needs: 'owner', where: 'named' },
  audit: { needs: 'owner', where: 'named' },
  focus: { needs: 'owner', where: 'named' },
  snapshot: { needs: 'owner' },
  forget: { needs: 'approver' },
  rollback: { needs: 'approver', where: 'named' },
  model: { needs: 'approver', show: { needs: 'owner' } },
  identity: { needs: 'approver', show: { needs: 'owner' } },
  skill: { needs: 'approver', show: { needs: 'owner', word: 'list' } },
  mcp: { needs: 'approver', show: { needs: 'owner', word: 'list' } },
  grants: { needs: 'approver' },
  revoke: { needs: 'approver' },
  'grant-add': { needs: 'approver' },
  resume: { needs: 'approver' },
} as const satisfies Readonly<Record<string, CommandRow>>;

export interface ToolRow {
  /** Whoever began the turn that calls it, or typed the command that stands for it. */
  readonly who: readonly Asker[];
  readonly where: Where;
}

const ANYONE: readonly Asker[] = ['approver', 'owner', 'member', 'system'];
const OWNER: readonly Asker[] = ['approver', 'owner'];
/** A webhook's turn may ask for it, and a person is asked. */
const NO_MEMBER: readonly Asker[] = ['approver', 'owner', 'system'];

/** Every tool of an MCP server, whatever it is called. */
export const MCP_ROW = 'mcp-call';

// biome-ignore format: one row per tool
export const TOOLS: Readonly<Record<string, ToolRow>> = {
  remember:            { who: ANYONE,    where: 'anywhere' },
  recall:              { who: OWNER,     where: 'named' },
  'list-memory':       { who: OWNER,     where: 'named' },
  forget:              { who: OWNER,     where: 'anywhere' },
  snapshot:            { who: OWNER,     where: 'anywhere' },
  rollback:            { who: OWNER,     where: 'named' },
  revert:              { who: OWNER,     where: 'anywhere' },
  ingest:              { who: OWNER,     where: 'named' },
  'summarise-session': { who: ['system'], where: 'anywhere' },
  'current-time':      { who: ANYONE,    where: 'anywhere' },
  calculate:           { who: ANYONE,    where: 'anywhere' },
  'run-code':          { who: ANYONE,    where: 'anywhere' },
  'read-output':       { who: ANYONE,    where: 'anywhere' },
  'call-webhook':      { who: ANYONE,    where: 'anywhere' },
  'add-mcp-server':    { who: OWNER,     where: 'anywhere' },
  'accept-mcp-server': { who: OWNER,     where: 'anywhere' },
  'remove-mcp-server': { who: OWNER,     where: 'anywhere' },
  'list-mcp-servers':  { who: OWNER,     where: 'anywhere' },
  [MCP_ROW]:           { who: NO_MEMBER, where: 'named' },
};

/** A tool without a row that touches the machine or opens URLs. */
export const MACHINE_ROW: ToolRow = { who: OWNER, where: 'named' };

/** @returns undefined for a tool nobody knows. */
export const toolAccess = (name: string): ToolRow | undefined => {
  const row = isMcpTool(name) ? MCP_ROW : name;
  return Object.hasOwn(TOOLS, row) ? TOOLS[row] : undefined;
};

/**
 * Whether a turn of this asker, in a chat that stands so, may use the tool. Unknown tools are the
 * gates' to refuse.
 */
export const mayUseTool = (name: string, asker: Asker, chat: ChatMemory): boolean => {
  const row = toolAccess(name);
  return row === undefined || (row.who.includes(asker) && (row.where === 'anywhere' || chat !== 'closed'));
};
