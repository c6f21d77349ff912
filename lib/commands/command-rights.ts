/**
 * The one table of chat commands: who may give each, at every door. A command without a row does
 * not exist. `anyone` is everybody who may write here, `owner` somebody whose words count as the
 * owner's (a script with that scope, or an approver). Some commands show something when they are
 * given alone, and change it otherwise. Pure.
 */
import type { Signal } from '../signal/signal.ts';

export type Standing = 'anyone' | 'owner' | 'approver';

interface CommandRow {
  readonly needs: Standing;
  /** Given alone, or with this word, it only shows something, and this is enough. */
  readonly show?: { readonly needs: Standing; readonly word?: string };
}

const COMMANDS = {
  help: { needs: 'anyone' },
  start: { needs: 'anyone' },
  pair: { needs: 'anyone' },
  status: { needs: 'anyone' },
  budget: { needs: 'anyone' },
  cost: { needs: 'anyone' },
  why: { needs: 'anyone' },
  remember: { needs: 'anyone' },
  recall: { needs: 'owner' },
  memory: { needs: 'owner' },
  snapshots: { needs: 'owner' },
  diff: { needs: 'owner' },
  audit: { needs: 'owner' },
  focus: { needs: 'owner' },
  snapshot: { needs: 'owner' },
  forget: { needs: 'approver' },
  rollback: { needs: 'approver' },
  model: { needs: 'approver', show: { needs: 'anyone' } },
  identity: { needs: 'approver', show: { needs: 'anyone' } },
  skill: { needs: 'approver', show: { needs: 'anyone', word: 'list' } },
  mcp: { needs: 'approver', show: { needs: 'anyone', word: 'list' } },
  grants: { needs: 'approver' },
  revoke: { needs: 'approver' },
  'grant-add': { needs: 'approver' },
  resume: { needs: 'approver' },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** The standing a command needs, as it is given. */
export const neededFor = (name: CommandName, rest: string): Standing => {
  const { needs, show }: CommandRow = COMMANDS[name];
  const isShown = ['', show?.word].includes(rest.trim().toLowerCase());
  return isShown ? (show?.needs ?? needs) : needs;
};

/** The form of a command that only shows something; undefined where it has none. */
export const shownBy = (name: CommandName): string | undefined => {
  const { show }: CommandRow = COMMANDS[name];
  return show === undefined ? undefined : [`/${name}`, ...(show.word === undefined ? [] : [show.word])].join(' ');
};

/** The console is the owner's own door; scripts whose words are untrusted come through another. */
export const standingOf = ({ source, sender }: Pick<Signal, 'source' | 'sender'>): Standing => {
  if (sender.isApprover) return 'approver';
  return source === 'console' ? 'owner' : 'anyone';
};

/** Whether STOP stops only the conversation it was said in. */
export const stopsItsOwn = (signal: Pick<Signal, 'source' | 'sender'>): boolean =>
  signal.source === 'script' && standingOf(signal) === 'anyone';

const RANK: Readonly<Record<Standing, number>> = { anyone: 0, owner: 1, approver: 2 };

export const reaches = (standing: Standing, needed: Standing): boolean => RANK[standing] >= RANK[needed];
