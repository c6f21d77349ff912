/**
 * `mcp login` of a terminal, at home and for a deployed stack: listens on this machine for the
 * browser's answer, or takes the pasted address. The answer is sealed for this one login before it
 * leaves, and never printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { mcpLogin } from '../../../lib/features/consent/operations.ts';
import { PUBLIC_KEY, sealAnswer } from '../../../lib/features/consent/seal.ts';
import { endChange } from '../../cli/change.ts';
import type { CommandContext } from '../../cli/command.ts';
import type { LocalParts } from '../../cli/operation-command.ts';
import { shellLines } from '../../cli/shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, showWords } from '../../cli/terminal.ts';

/** As long as the stack waits for the answer. */
const ANSWER_WAIT_MS = 10 * MINUTE_MS;
const CALLBACK = '/callback';

/** The page of a browser that has brought the answer. */
const DONE = '<!doctype html><title>Passepartout</title>✓';

/** Programs that open an address in the person's browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' };

const openBrowser = ({ input }: CommandContext, link: string): void => {
  const program = OPENERS[process.platform];
  if (program === undefined || !('isTTY' in input) || input.isTTY !== true) return;
  // Without a browser here, the printed address is copied to where one is.
  spawn(program, [link], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
};

const listen = async (): Promise<{ readonly server: Server; readonly redirect: string }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, redirect: `http://127.0.0.1:${port}${CALLBACK}` };
};

/** The query of an address that ends this login; a bare code counts as one. */
const readAnswer = (text: string, state: string): string | undefined => {
  const url = URL.parse(text.trim());
  if (url === null)
    return /^[\x21-\x7e]{1,4096}$/.test(text.trim())
      ? new URLSearchParams({ code: text.trim(), state }).toString()
      : undefined;
  return url.pathname === CALLBACK && url.searchParams.get('state') === state ? url.search.slice(1) : undefined;
};

/** The first answer of this login, from the browser or the keyboard. @throws CliError */
const waitForAnswer = async (context: CommandContext, server: Server, state: string): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = () => reject(new CliError(EXIT.failed, 'no browser answered', 'the same command begins anew'));
  const timer = setTimeout(late, ANSWER_WAIT_MS);
  server.on('request', ({ url = '/', method }, response) => {
    // Any page can send a browser here: without the state of this login it counts for nothing.
    const answer = method === 'GET' ? readAnswer(`http://127.0.0.1${url}`, state) : undefined;
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      connection: 'close',
    });
    response.end(answer === undefined ? '' : DONE, () => answer !== undefined && resolve(answer));
  });
  const lines = createInterface({ input: context.input });
  lines.on('line', (line) => {
    const answer = line.trim() === '' ? undefined : readAnswer(line, state);
    if (answer !== undefined) resolve(answer);
    else if (line.trim() !== '') context.terminal.remark('this is no answer of the login that was begun here');
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    lines.close();
  }
};

const login = async (context: CommandContext, [name, ...more]: readonly string[]): Promise<ExitCode> => {
  if (name === undefined || more.length > 0)
    throw new CliError(EXIT.usage, 'usage: npx passepartout mcp login <server>');
  const { server, redirect } = await listen();
  try {
    const { view, replies, isDone } = await endChange(context, mcpLogin, { server: name, redirect });
    const output = view.effects.find((effect) => effect.output !== undefined)?.output ?? '';
    const link = output.split('\n').find((line) => URL.canParse(line));
    const state = URL.parse(link ?? '')?.searchParams.get('state') ?? '';
    if (!isDone || link === undefined || !PUBLIC_KEY.test(state)) {
      showWords(context.terminal, view, replies.map(shellLines));
      return EXIT.failed;
    }
    for (const line of output.split('\n')) context.terminal.remark(printable(line));
    context.terminal.remark(
      'Agree there. If the browser is on another machine, paste here the address that it ends at:',
    );
    openBrowser(context, link);
    const answer = sealAnswer(state, await waitForAnswer(context, server, state));
    const ended = await endChange(context, mcpLogin, { server: name, answer });
    // A reply to a chat would spoil the addresses, which the owner typed.
    const said = ended.view.effects.flatMap((effect) => effect.output ?? []);
    showWords(context.terminal, ended.view, (ended.isDone ? said : ended.replies).map(shellLines));
    return ended.isDone ? EXIT.ok : EXIT.failed;
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

export const loginParts: LocalParts = {
  login: { form: '<server>', summary: mcpLogin.summary, run: login },
};
