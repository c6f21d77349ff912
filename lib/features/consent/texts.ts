/** The texts of logins at MCP servers. */
import { textTable } from '../../core/base/language.ts';
import { buildNotices } from '../../core/judge/notices.ts';

const EN = {
  noServer: (server: string) => `there is no MCP server ${server}; add it first: /mcp add ${server} <address>`,
  inTerminal: (server: string) => `a browser asks you; in a terminal: npx passepartout mcp login ${server}`,
};
export type ConsentTexts = typeof EN;

export const consentTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });

const NOTICES = {
  loginEnded: (server: string) =>
    `The login at the MCP server ${server} has ended, so its tools cannot be called. This logs in anew, in a terminal: npx passepartout mcp login ${server}`,
};
export type ConsentNotices = typeof NOTICES;

export const consentNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);
