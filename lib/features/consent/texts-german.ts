/** The texts of logins at MCP servers in German. */
import type { ConsentNotices, ConsentTexts } from './texts.ts';

export const DE: ConsentTexts = {
  noServer: (server) => `einen MCP-Server ${server} gibt es nicht; zuerst hinzufügen: /mcp add ${server} <Adresse>`,
  inTerminal: (server) => `ein Browser fragt dich; in einem Terminal: npx passepartout mcp login ${server}`,
};

export const NOTICES: ConsentNotices = {
  loginEnded: (server) =>
    `Die Anmeldung beim MCP-Server ${server} ist zu Ende, seine Werkzeuge lassen sich nicht aufrufen. Neu anmelden, in einem Terminal: npx passepartout mcp login ${server}`,
};
