/**
 * `grants` and `revoke`: what may happen again without asking, how a person adds to it, and how it
 * is taken back.
 */

import { defined } from '../../../lib/base/defined.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_DECISION_WAIT_S } from '../limits.ts';
import { printable, printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';
import { findApprovalId } from './approve.ts';

type Loosened =
  | { readonly path: string; readonly kind: 'any' }
  | { readonly path: string; readonly kind: 'prefix'; readonly prefix: string };

/** `body.ref` and `/body/ref` are one path. */
const pointerOf = (name: string): string => (name.startsWith('/') ? name : `/${name.split('.').join('/')}`);

/** `body.title,body.path=docs/`: the first may be anything, the second must start so. Pure. */
export const parseLoosened = (given: string | undefined): readonly Loosened[] =>
  (given ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      if (at < 0) return { path: pointerOf(part), kind: 'any' };
      return { path: pointerOf(part.slice(0, at)), kind: 'prefix', prefix: part.slice(at + 1) };
    });

const wholeNumber = (name: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (!/^\d{1,4}$/.test(given)) throw new CliError(EXIT.usage, `--${name} must be a whole number`);
  return Number(given);
};

/** Waits for the signal that carries it and prints what it was answered. */
const follow = async ({ client, terminal, now, sleep }: CommandContext, id: string): Promise<ExitCode> => {
  const waited = await waitForTurn({ client: await client(), now, sleep }, id, CLI_DECISION_WAIT_S * 1000);
  if (terminal.isJson) terminal.json(waited.view);
  else for (const text of waited.view.replies) terminal.line(printableLines(text));
  if (waited.outcome === 'timed-out') return EXIT.failed;
  return waited.view.replies.some((text) => /^(Allowed|The grant)/.test(text)) ? EXIT.ok : EXIT.failed;
};

const list = async ({ client, terminal }: CommandContext): Promise<ExitCode> => {
  const answer = await (await client()).grants();
  if (terminal.isJson) terminal.json(answer);
  else if (answer.grants.length === 0) terminal.remark('nothing is allowed beyond single approvals');
  else for (const grant of answer.grants) terminal.line(printable(grant.description));
  return EXIT.ok;
};

const add = async (context: CommandContext): Promise<ExitCode> => {
  const { text } = context;
  const client = await context.client();
  const from = text('from');
  if (from === undefined) throw new CliError(EXIT.usage, 'grants add needs --from <approval>');
  const count = wholeNumber('count', text('count'));
  const hours = wholeNumber('hours', text('hours'));
  const accepted = await client.addGrant({
    approval: await findApprovalId(client, from),
    loosen: parseLoosened(text('loosen')),
    ...defined({ count, hours }),
    coversTaint: context.flag('covers-taint'),
    anySession: context.flag('any-session'),
  });
  return follow(context, accepted.id);
};

export const grants: Command = {
  name: 'grants',
  usage: '[add --from <approval>]',
  summary: 'list what may happen again without asking, or allow more of it',
  options: {
    from: { type: 'string', value: 'approval', help: 'add: the approval whose action is to be allowed' },
    loosen: { type: 'string', value: 'a,b=start', help: 'add: arguments that may be anything, or must only start so' },
    count: { type: 'string', value: 'n', help: 'add: how often (default 10)' },
    hours: { type: 'string', value: 'n', help: 'add: for how long (default 24)' },
    'covers-taint': { type: 'boolean', help: 'add: also when the outside text its card named asks for it' },
    'any-session': { type: 'boolean', help: 'add: in every conversation, not only in that one' },
  },
  argCount: [0, 1],
  run: (context) => {
    const [verb] = context.args;
    if (verb === undefined || verb === 'list') return list(context);
    if (verb === 'add') return add(context);
    throw new CliError(EXIT.usage, 'usage: passepartout grants [add --from <approval>]');
  },
};

export const revoke: Command = {
  name: 'revoke',
  usage: '<grant>',
  summary: 'take a grant back',
  argCount: [1, 1],
  run: async (context) => {
    const id = context.args[0] ?? '';
    if (!/^[0-9a-f]{12}$/.test(id))
      throw new CliError(EXIT.usage, 'that is not the id of a grant', 'passepartout grants lists them');
    const accepted = await (await context.client()).revokeGrant(id);
    return follow(context, accepted.id);
  },
};
