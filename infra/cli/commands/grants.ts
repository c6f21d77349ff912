/**
 * `grants` and `revoke`: actions that may happen again without asking. A person adds and ends them.
 */
import { defined } from '../../../lib/base/defined.ts';
import { addGrant, loadGrants, revokeGrant } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, show } from '../terminal.ts';
import { waitForAnswer } from '../turn.ts';
import { findApprovalId } from './approvals.ts';

type Loosened =
  | { readonly path: string; readonly kind: 'any' }
  | { readonly path: string; readonly kind: 'prefix'; readonly prefix: string };

/** `body.ref` and `/body/ref` are one path. */
const pointerOf = (name: string): string => (name.startsWith('/') ? name : `/${name.split('.').join('/')}`);

/** `body.title,body.path=docs/`: the first may be anything, the second must start with `docs/`. */
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

const parseWhole = (name: string, given: string | undefined): number | undefined => {
  if (given !== undefined && !/^\d{1,4}$/.test(given))
    throw new CliError(EXIT.usage, `--${name} must be a whole number`);
  return given === undefined ? undefined : Number(given);
};

/** Waits for the answer to a change of grants, and shows it. */
const showAnswer = async (context: CommandContext, id: string): Promise<ExitCode> => {
  const { view, isTimedOut } = await waitForAnswer(context, id);
  show(context.terminal, view, view.replies.map(printableLines));
  const isDone = view.replies.some((text) => /^(Allowed|The grant)/.test(text));
  return isDone && !isTimedOut ? EXIT.ok : EXIT.failed;
};

const list = async ({ access, terminal }: CommandContext): Promise<ExitCode> => {
  const answer = await loadGrants(await access());
  if (answer.grants.length === 0 && !terminal.isJson) terminal.remark('nothing is allowed beyond single approvals');
  show(
    terminal,
    answer,
    answer.grants.map(({ description }) => printable(description)),
  );
  return EXIT.ok;
};

const add = async (context: CommandContext): Promise<ExitCode> => {
  const { text, flag } = context;
  const from = text('from');
  if (from === undefined) throw new CliError(EXIT.usage, 'grants add needs --from <approval>');
  const count = parseWhole('count', text('count'));
  const hours = parseWhole('hours', text('hours'));
  const access = await context.access();
  const accepted = await addGrant(access, {
    approval: await findApprovalId(access, from),
    loosen: parseLoosened(text('loosen')),
    ...defined({ count, hours }),
    coversTaint: flag('covers-taint'),
    anySession: flag('any-session'),
  });
  return showAnswer(context, accepted.id);
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
    throw new CliError(EXIT.usage, 'usage: npx passepartout grants [add --from <approval>]');
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
      throw new CliError(EXIT.usage, 'that is not the id of a grant', 'npx passepartout grants lists them');
    const accepted = await revokeGrant(await context.access(), id);
    return showAnswer(context, accepted.id);
  },
};
