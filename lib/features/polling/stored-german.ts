/** German of the verb of polling, and of what its tool answers. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const POLLING_STORED: readonly SentencePair[] = [
  [
    'which events a server has; with names: make the job that reads them',
    'welche Ereignisse ein Server hat; mit Namen: den Auftrag anlegen, der sie liest',
  ],
  ['names of its events, with commas between', 'Namen seiner Ereignisse, mit Kommas dazwischen'],
  ['must be at most 8 names with commas between', 'höchstens 8 Namen mit Kommas dazwischen'],
  [
    'events are read by a job whose step says so, and by nothing else',
    'Ereignisse liest ein Auftrag mit einem solchen Schritt, und sonst nichts',
  ],
  ['It has no events that can be fetched.', 'Er hat keine Ereignisse, die sich abholen lassen.'],
  ['It has these events:', 'Er hat diese Ereignisse:'],
  ['[1] came.', '[1] kam.'],
  ['[1] could not be stored.', '[1] ließ sich nicht speichern.'],
  ['The server left some out.', 'Der Server hat welche ausgelassen.'],
  [
    "Today's quota of this source is used up: the rest comes later.",
    'Das Kontingent dieser Quelle ist für heute verbraucht: Der Rest kommt später.',
  ],
  ['no MCP server of this name was let in at this address', 'unter dieser Adresse ist kein MCP-Server so eingelassen'],
  ['the MCP server offers no events', 'der MCP-Server bietet keine Ereignisse an'],
  ['the MCP server has no such event, or has it no more', 'der MCP-Server hat kein solches Ereignis, oder nicht mehr'],
  [
    'the MCP server does not let this token see such events',
    'der MCP-Server zeigt diesem Token solche Ereignisse nicht',
  ],
  ['the MCP server refused to give events (code {1})', 'der MCP-Server gab keine Ereignisse heraus (Code {1})'],
  [
    'the MCP server gave other or more events than it was asked for',
    'der MCP-Server gab andere oder mehr Ereignisse, als gefragt waren',
  ],
  [
    'the MCP server keeps no events, so none can be fetched',
    'der MCP-Server hebt keine Ereignisse auf, also lassen sich keine abholen',
  ],
];
