/** German of the verbs of MCP, and of what its tools answer. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const MCP_STORED: readonly SentencePair[] = [
  [
    'the servers and their tools, and what changed since they were accepted',
    'die Server und ihre Werkzeuge, und was sich seit der Annahme geändert hat',
  ],
  [
    'ask a server which tools it offers, and show them',
    'einen Server fragen, welche Werkzeuge er anbietet, und sie zeigen',
  ],
  ['let in exactly the tools that were shown', 'genau die gezeigten Werkzeuge einlassen'],
  ['take a server and its tools away', 'einen Server und seine Werkzeuge entfernen'],
  [
    'tools of other servers (MCP): see, let in, accept, take away',
    'Werkzeuge anderer Server (MCP): ansehen, einlassen, annehmen, wegnehmen',
  ],
  ['name of the server', 'Name des Servers'],
  ['address of the server', 'Adresse des Servers'],
  ['hash that was shown with the tools', 'die Prüfsumme, die bei den Werkzeugen stand'],
  [
    'what policies count by, as in pay.amount=amount; reads that pass unasked, as in reads=list,get',
    'wonach Policies zählen, etwa pay.amount=amount; was ungefragt lesen darf, etwa reads=list,get',
  ],
  [
    '  To let its reads pass without a question too: /mcp accept {1}',
    '  Damit auch sein Lesen ohne Frage durchgeht: /mcp accept {1}',
  ],
  [
    '  Without a question in your own turns, but for words of others in it: {1}.',
    '  Ohne Frage in eigenen Aufgaben, außer bei fremden Worten darin: {1}.',
  ],
  [
    '  Without a question in your own turns, but for words of others in it: {1}. To take this back: /mcp accept {2}',
    '  Ohne Frage in eigenen Aufgaben, außer bei fremden Worten darin: {1}. Zurücknehmen: /mcp accept {2}',
  ],
  ['  {1} (no longer offered: off)', '  {1} (nicht mehr angeboten: aus)'],
  ['  {1} of its tools cannot be used here.', '  {1} seiner Werkzeuge sind hier nicht brauchbar.'],
  [
    'reads= takes names of tools shown, with commas between, which the server calls reads',
    'reads= nimmt Namen gezeigter Werkzeuge, mit Kommas dazwischen, die der Server Lesen nennt',
  ],
  [
    'a fact is written <tool>.amount=<field>, or .recipient or .currency, of a tool shown',
    'eine Tatsache schreibt sich <tool>.amount=<field>, oder .recipient oder .currency, von einem gezeigten Werkzeug',
  ],
  ['the {1} of {2} cannot be taken from there: it [3]', '{1} von {2} lässt sich dort nicht ablesen: [3]'],
  ['is no field of its schema', 'das Schema hat kein solches Feld'],
  ['needs an "enum" with one currency in its schema', 'im Schema fehlt "enum" mit einer Währung'],
  ['needs the type string, number or integer in its schema', 'im Schema fehlt der Typ string, number oder integer'],
  ['is not part of what is sent', 'es wird nicht gesendet'],
  ['this server offers nothing that is not accepted', 'dieser Server bietet nichts, was nicht angenommen ist'],
  ['there are too many MCP servers', 'es sind zu viele MCP-Server'],
  ['more than {1} tools of MCP servers are too many', 'mehr als {1} Werkzeuge von MCP-Servern sind zu viele'],
  ['there is no room for so many tools of MCP servers', 'für so viele Werkzeuge von MCP-Servern ist kein Platz'],
  ['the MCP servers are being changed by others', 'andere ändern gerade die MCP-Server'],
  [
    'the MCP server changed its description of this tool: the tool is off until an approver accepts it again (/mcp list)',
    'der MCP-Server beschreibt dieses Werkzeug jetzt anders: Es ist aus, bis es wieder angenommen wird (/mcp list)',
  ],
  ['there is no such tool of an MCP server', 'ein solches Werkzeug hat kein MCP-Server'],
  ['the address is not the one that was accepted', 'die Adresse ist nicht die angenommene'],
  ['the host of the MCP server was not resolved', 'der Host des MCP-Servers hat keine Adresse'],
  ['the MCP server refused the call (code {1})', 'der MCP-Server hat den Aufruf abgelehnt (Code {1})'],
  ['the MCP server refused', 'der MCP-Server hat abgelehnt'],
  ['[1]; nothing was called', '[1]; nichts wurde aufgerufen'],
  ['[1] after it was called', '[1], nachdem es aufgerufen war'],
  [
    'the MCP server listed its tools in place of calling one',
    'der MCP-Server nannte seine Werkzeuge, statt eines aufzurufen',
  ],
  ['the MCP server took too long', 'der MCP-Server brauchte zu lange'],
  ['the MCP server answered with the status {1}', 'der MCP-Server antwortete mit dem Status {1}'],
  [
    'something answers at that address, but it is no MCP server',
    'unter dieser Adresse antwortet etwas, aber kein MCP-Server',
  ],
  ['the connection to the MCP server failed ({1})', 'die Verbindung zum MCP-Server ist gescheitert ({1})'],
  ['the MCP server could not be worked with', 'mit dem MCP-Server ging es nicht'],
  ['the MCP server could not be worked with ({1})', 'mit dem MCP-Server ging es nicht ({1})'],
  ['the MCP server led to another address', 'der MCP-Server führte zu einer anderen Adresse'],
  ['the MCP server answered with the error {1}', 'der MCP-Server antwortete mit dem Fehler {1}'],
  ['The tool says that it failed.', 'Das Werkzeug sagt, dass es gescheitert ist.'],
];
