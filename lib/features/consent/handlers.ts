/** The answers to the verbs of logins: each is one call of a tool, which Act performs. */
import { defined } from '../../core/base/defined.ts';
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import type { CodeContext } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { mcpLogin, mcpLogout } from './operations.ts';
import { consentTexts } from './texts.ts';

/** The address under which a server was let in. @throws NotFoundError */
const urlOf = async ({ table, signal, language }: CodeContext, server: string): Promise<string> => {
  const { servers } = readMcpCatalogue(await loadItem(table, mcpKey(signal.space)));
  const found = servers.find(({ name }) => name === server);
  if (found === undefined) throw new NotFoundError((await consentTexts.in(language)).noServer(server));
  return found.url;
};

export const CONSENT_HANDLERS: readonly Handler[] = [
  change(mcpLogin, async (context, args) => {
    if ((args.redirect === undefined) === (args.answer === undefined))
      throw new ProtocolError((await consentTexts.in(context.language)).inTerminal(args.server));
    const { server, redirect, answer } = args;
    const url = await urlOf(context, server);
    return { call: { tool: 'log-in-mcp-server', args: { server, url, ...defined({ redirect, answer }) } } };
  }),
  change(mcpLogout, async (context, args) => ({
    call: { tool: 'log-out-mcp-server', args: { ...args, url: await urlOf(context, args.server) } },
  })),
];
