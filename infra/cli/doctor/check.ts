/** One check of `doctor`: what is right or wrong, and what mends it. */
import type { StackAccess } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { CliError } from '../terminal.ts';

/** The remedy of each kind of fault: a command, or the page that says what a person does. */
export const MENDS = {
  folder: '"npm start" makes it, or says why it cannot',
  place: 'make room, or set DATA_DIR to a folder of your own; then "npm start"',
  name: 'mend .env (infra/README.md#settings has every name)',
  settings: '"npm start" does not start with that: mend .env, or npx passepartout setup',
  token: 'set APPROVER_TOKEN, or "npm start"',
  scripts: "mend it in the console's secret (infra/operating.md#rotate-a-secret)",
  release: '"npm start" or "npm run deploy" again, or use the command of its release',
  models: 'npx passepartout setup --only model, then start the stack again',
  keys: 'npx passepartout setup --only keys, then start the stack again',
  endpoint: 'mend its setting in .env, then start again (infra/troubleshooting.md#the-model)',
  peer: 'one that is away is asked again by itself (infra/troubleshooting.md#the-model)',
  limit: 'wait, or let the provider raise the limit of this key (infra/troubleshooting.md#the-model)',
  target: 'mend its address in WEBHOOK_TARGETS, or wait for its service (infra/webhooks.md)',
  server: 'mend runner.yaml, or npx passepartout mcp add again (lib/features/mcp/README.md)',
  sender: 'npx passepartout hooks, which says why; npx passepartout hooks add makes a new secret',
  door: 'MCP_DOOR is on in .env: npm start again',
  program: 'give a program one of its own in API_TOKENS (lib/features/door/README.md)',
  clock: 'set the clock: signed requests are refused beyond five minutes (infra/troubleshooting.md#no-answer)',
  stopped: 'the stack is stopped: npx passepartout resume',
  late: 'the heartbeat is behind; health says when it last ran (infra/troubleshooting.md#no-answer)',
  other: 'infra/troubleshooting.md',
} as const;

/** @param name of a step of the set-up */
export const mendOfStep = (name: string) =>
  `npx passepartout setup --only ${name}, then start the stack again` as const;

export type Mend = (typeof MENDS)[keyof typeof MENDS] | `chmod ${string}` | ReturnType<typeof mendOfStep>;

export interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
  /** Says what to do; empty if there is nothing to do. */
  readonly advice: string;
  /** While it is wrong, nothing is answered. */
  readonly isNeeded?: true;
  /** The part of the detail that says why. */
  readonly because?: string;
  /** Puts it right without harm. @returns what was done */
  readonly fix?: () => string;
}

export const needed = (check: Check): Check => ({ ...check, isNeeded: true });

export const ok = (name: string, detail: string): Check => ({ name, isOk: true, detail, advice: '' });
export const wrong = (name: string, detail: string, advice: Mend): Check => ({ name, isOk: false, detail, advice });

/** Checks nothing more if the work fails on purpose: its message is the check then. */
export const tryCheck = async (name: string, work: () => Promise<readonly Check[]>): Promise<readonly Check[]> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const advice = error.advice === '' ? MENDS.other : `${error.advice} (${MENDS.other})`;
    return [{ ...wrong(name, error.message, MENDS.other), advice }];
  }
};

/** The checks that a feature adds for a running stack. */
export type FeatureCheck = (context: CommandContext, access: StackAccess) => Promise<readonly Check[]>;
