/** Pages of the manual: tools of other servers. */
import type { ManualPage } from '../manual-pages.ts';

export const MCP_PAGES: readonly ManualPage[] = [
  {
    title: 'Use tools of another server (MCP)',
    german: 'Werkzeuge eines anderen Servers benutzen (MCP)',
    words:
      'model context protocol connector plugin integration extension external service connect add tool api remote ' +
      'Erweiterung Anbindung Schnittstelle externer Dienst verbinden hinzufügen Werkzeug Integration shut off disconnect tool server last week abklemmen abschalten',
    verbs: ['mcp add', 'mcp accept', 'mcp list', 'mcp remove'],
    see: 'lib/features/mcp/README.md',
  },
  {
    title: 'Let a server of tools (MCP) start on your own machine',
    german: 'Einen Server von Werkzeugen (MCP) auf dem eigenen Rechner starten',
    words:
      'stdio npx uvx local process filesystem memory browser git command line program start sandbox package npm ' +
      'lokal eigener Rechner Prozess Programm starten Paket Dateien Ordner runner.yaml server mcp claude_desktop_config',
    verbs: ['mcp add', 'mcp accept'],
    see: 'lib/features/mcp/machine.md',
  },
];
