/** German of the lines of cards, and of the faults, of pages and searches. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const WEB_STORED: readonly SentencePair[] = [
  ['Opens the address: {1}', 'Öffnet die Adresse: {1}'],
  [
    'The other side learns this address. What it answers is outside text.',
    'Die Gegenseite erfährt diese Adresse. Was sie antwortet, ist Text von außen.',
  ],
  ['the page is packed in a way that is not read', 'die Seite ist so gepackt, wie es hier nicht gelesen wird'],
  ['the page is packed wrongly', 'die Seite ist falsch gepackt'],
  ['the page is larger than {1} bytes once it is unpacked', 'die Seite ist ausgepackt größer als {1} Bytes'],
  [
    'the page answered with a redirect that is not followed',
    'die Seite antwortete mit einer Umleitung, der nicht gefolgt wird',
  ],
  ['the page took too long', 'die Seite brauchte zu lange'],
  ['the page answered with status {1}', 'die Seite antwortete mit Status {1}'],
  ['the page could not be opened', 'die Seite ließ sich nicht öffnen'],
  ['the page could not be opened ({1})', 'die Seite ließ sich nicht öffnen ({1})'],
  ['the page is of a type that is not read as text', 'die Seite ist von einer Art, die nicht als Text gelesen wird'],
  ['the host of the page has no address', 'der Host der Seite hat keine Adresse'],
  ['the page answered with a redirect to nowhere', 'die Seite antwortete mit einer Umleitung ins Nichts'],
  ['the page answered with more than {1} redirects', 'die Seite antwortete mit mehr als {1} Umleitungen'],
  [
    'The page is said to be at another address, which was not opened: {1}',
    'Die Seite soll unter einer anderen Adresse liegen, die nicht geöffnet wurde: {1}',
  ],
  ['Searches for: {1}', 'Sucht nach: {1}'],
  ['Asks: {1}', 'Fragt: {1}'],
  [
    'The service learns these words. What it answers is outside text.',
    'Der Dienst erfährt diese Worte. Was er antwortet, ist Text von außen.',
  ],
  ['No page was found by {1}.', '{1} hat keine Seite gefunden.'],
  ['Found by {1}:', 'Gefunden von {1}:'],
  ['the SearXNG at {1}', 'das SearXNG unter {1}'],
  [
    'must be {1}, or the http or https address of a SearXNG',
    'muss {1} sein, oder die http- oder https-Adresse eines SearXNG',
  ],
  ['no search service is set; SEARCH names one', 'kein Suchdienst ist gesetzt; SEARCH nennt einen'],
  ['another search service was set since', 'seitdem wurde ein anderer Suchdienst gesetzt'],
  [
    '{1} refuses the key: put a valid one in SEARCH_API_KEY',
    '{1} lehnt den Schlüssel ab: einen gültigen in SEARCH_API_KEY setzen',
  ],
  [
    '{1} gives no JSON: add json to search.formats in its settings.yml',
    '{1} gibt kein JSON: in seiner settings.yml bei search.formats json ergänzen',
  ],
  ['{1} takes no more searches now (status {2})', '{1} nimmt gerade keine Suchen mehr an (Status {2})'],
  ['{1} does not take this search (status {2})', '{1} nimmt diese Suche nicht an (Status {2})'],
  ['{1} answered with status {2}', '{1} antwortete mit Status {2}'],
  ['{1} answered with something else than results', '{1} antwortete mit etwas anderem als Ergebnissen'],
  ['{1} took too long', '{1} brauchte zu lange'],
  ['{1} is not reachable', '{1} ist nicht erreichbar'],
  ['{1} is not reachable ({2})', '{1} ist nicht erreichbar ({2})'],
];
