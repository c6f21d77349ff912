/**
 * Which command stands for which tool call. A command that changes something is a line here; everything else about it
 * (permission, gates, evidence, answer) follows from the tool it names. Pure.
 */
import { SNAPSHOT_NAME_CHARS_MAX } from '../../base/limits.ts';
import { MCP_SERVER_NAME } from '../../signal/mcp-name.ts';
import type { CommandCall } from './command-action.ts';

interface CommandForm {
  /** Shown where the words after the command do not fit. */
  readonly usage: string;
  /** @param rest what follows the command, trimmed. @returns undefined where that does not fit. */
  readonly parse: (rest: string) => CommandCall | undefined;
}

const OBJECT_ID = /^[0-9a-f]{32}$/;

/** @param signals further ones whose turns are to be erased with it. */
export const forgetCall = (id: string, signals: readonly string[]): CommandCall => ({
  tool: 'forget',
  args: { id, ...(signals.length === 0 ? {} : { signals: [...signals] }) },
});

const parseMcp = (rest: string): CommandCall | undefined => {
  const [verb = '', server = '', what = '', ...more] = rest.split(/\s+/);
  if (more.length > 0 || (verb !== 'list' && !MCP_SERVER_NAME.test(server))) return undefined;
  switch (verb) {
    case 'list':
      return server === '' ? { tool: 'list-mcp-servers', args: {} } : undefined;
    case 'add':
      return URL.canParse(what) ? { tool: 'add-mcp-server', args: { server, url: new URL(what).href } } : undefined;
    case 'accept':
      return /^[0-9a-f]{12}$/.test(what) ? { tool: 'accept-mcp-server', args: { server, offer: what } } : undefined;
    case 'remove':
      return what === '' ? { tool: 'remove-mcp-server', args: { server } } : undefined;
    default:
      return undefined;
  }
};

const FORMS: Readonly<Record<string, CommandForm>> = {
  remember: {
    usage: '/remember <what to keep>',
    parse: (rest) => (rest === '' ? undefined : { tool: 'remember', args: { text: rest } }),
  },
  forget: {
    usage: '/forget <id> [signals], the id as /memory or /recall show it',
    parse: (rest) => {
      const [id = '', ...signals] = rest.split(/\s+/);
      return OBJECT_ID.test(id.toLowerCase()) ? forgetCall(id.toLowerCase(), signals) : undefined;
    },
  },
  mcp: {
    usage: '/mcp list, /mcp add <name> <address>, /mcp accept <name> <hash>, /mcp remove <name>',
    parse: parseMcp,
  },
  snapshot: {
    usage: `/snapshot [name], at most ${SNAPSHOT_NAME_CHARS_MAX} letters, digits, spaces, dots and dashes`,
    parse: (rest) => {
      if (rest === '') return { tool: 'snapshot', args: {} };
      return rest.length <= SNAPSHOT_NAME_CHARS_MAX ? { tool: 'snapshot', args: { name: rest } } : undefined;
    },
  },
};

/** @returns the call, the usage where the rest does not fit, or undefined for a command that changes nothing. */
export const commandCallOf = (name: string, rest: string): CommandCall | { readonly usage: string } | undefined => {
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  return form === undefined ? undefined : (form.parse(rest.trim()) ?? { usage: form.usage });
};
