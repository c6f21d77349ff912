/** German of the verbs of logins, and of what their tools answer. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const CONSENT_STORED: readonly SentencePair[] = [
  [
    'log in at a server in a browser; in a terminal only',
    'sich bei einem Server im Browser anmelden; nur in einem Terminal',
  ],
  [
    'log out of a server, revoke its tokens and erase them',
    'sich von einem Server abmelden, seine Token widerrufen und löschen',
  ],
  ['address to which the browser brings its answer', 'Adresse, an die der Browser seine Antwort bringt'],
  ['what the browser answered, sealed for this login', 'was der Browser antwortete, für diese Anmeldung versiegelt'],
  ['For {1}, {2} asks you in a browser:', 'Für {1} fragt {2} dich in einem Browser:'],
  ['For {1}, {2} asks you in a browser, about {3}:', 'Für {1} fragt {2} dich in einem Browser, wegen {3}:'],
  ['Logged in by {1}.', 'Angemeldet durch {1}.'],
  ['Logged in by {1} for {2}.', 'Angemeldet durch {1} für {2}.'],
  ['Logged in by {1}; renewed after {2}.', 'Angemeldet durch {1}; erneuert nach {2}.'],
  ['Logged in by {1} for {2}; renewed after {3}.', 'Angemeldet durch {1} für {2}; erneuert nach {3}.'],
  [
    'Its login has ended. In a terminal: npx passepartout mcp login {1}',
    'Die Anmeldung dort ist zu Ende. In einem Terminal: npx passepartout mcp login {1}',
  ],
  [
    'It wants a login. In a terminal: npx passepartout mcp login {1}',
    'Er will eine Anmeldung. In einem Terminal: npx passepartout mcp login {1}',
  ],
  [
    'Logged out. In a terminal: npx passepartout mcp login {1}',
    'Abgemeldet. In einem Terminal: npx passepartout mcp login {1}',
  ],
  ['To see what {1} offers: /mcp add {2} {3}', 'Was {1} anbietet, zeigt: /mcp add {2} {3}'],
  [
    'Logged out of {1}: its tokens count no more, and are erased here.',
    'Von {1} abgemeldet: Seine Token gelten nicht mehr und sind hier gelöscht.',
  ],
  [
    'Logged out of {1}: its tokens are erased here. Who gave them did not say that they count no more; end the consent there.',
    'Von {1} abgemeldet: Seine Token sind hier gelöscht. Wer sie gab, hat nicht bestätigt, dass sie nicht mehr gelten; beende die Zustimmung dort.',
  ],
  [
    'the MCP server wants a login; in a terminal: npx passepartout mcp login {1}',
    'der MCP-Server will eine Anmeldung; in einem Terminal: npx passepartout mcp login {1}',
  ],
  [
    'the login at the MCP server has ended; in a terminal: npx passepartout mcp login {1}',
    'die Anmeldung beim MCP-Server ist zu Ende; in einem Terminal: npx passepartout mcp login {1}',
  ],
  ['the server names nobody who could vouch for a login', 'der Server nennt niemanden, der für eine Anmeldung bürgt'],
  [
    'the server names another server as the one that a login would be for',
    'der Server nennt einen anderen Server, für den eine Anmeldung wäre',
  ],
  ['what the server says of its login cannot be read', 'was der Server über die Anmeldung sagt, ist nicht lesbar'],
  [
    'what is said of who vouches for the login is wrong, or cannot be read',
    'was über den Bürgen der Anmeldung gesagt wird, ist falsch oder nicht lesbar',
  ],
  [
    'who vouches for the login does not bind a code to who asked for it (PKCE)',
    'wer für die Anmeldung bürgt, bindet den Code nicht an den, der fragte (PKCE)',
  ],
  [
    'the server names another issuer than the one in MCP_SERVERS',
    'der Server nennt einen anderen Aussteller als den in MCP_SERVERS',
  ],
  [
    'who vouches for the login knows no such client: register one there by hand, and put it into MCP_SERVERS',
    'wer für die Anmeldung bürgt, kennt kein solches Programm: dort von Hand eintragen, und in MCP_SERVERS setzen',
  ],
  [
    'who vouches for the login refused to register this client',
    'wer für die Anmeldung bürgt, wollte dieses Programm nicht eintragen',
  ],
  [
    'who vouches for the login gives tokens of another kind',
    'wer für die Anmeldung bürgt, gibt Token einer anderen Art',
  ],
  ['who vouches for the login gave no usable token', 'wer für die Anmeldung bürgt, gab kein brauchbares Token'],
  [
    'the answer of the browser is from somebody else than was asked',
    'die Antwort des Browsers ist von jemand anderem als gefragt',
  ],
  ['consent was refused in the browser', 'die Zustimmung wurde im Browser verweigert'],
  ['the login was refused there', 'die Anmeldung wurde dort abgelehnt'],
  ['who vouches for the login did not take its code', 'wer für die Anmeldung bürgt, nahm den Code nicht an'],
  [
    'the login leads to an address that may not be called',
    'die Anmeldung führt zu einer Adresse, die nicht aufgerufen werden darf',
  ],
  ['a host of the login has no address', 'ein Host der Anmeldung hat keine Adresse'],
  ['the part for logins is not what it should be', 'was Anmeldungen ausführt, ist nicht, was es sein soll'],
  [
    'this stack has no secret to keep a login under',
    'es gibt hier kein Geheimnis, unter dem eine Anmeldung verwahrt werden kann',
  ],
  [
    'the login cannot be renewed now; try again later',
    'die Anmeldung lässt sich gerade nicht erneuern; versuche es später',
  ],
  [
    'the login is being renewed by another run; try again later',
    'ein anderer Lauf erneuert die Anmeldung gerade; versuche es später',
  ],
  [
    'another login at this server was begun at the same time',
    'zur selben Zeit wurde eine andere Anmeldung bei diesem Server begonnen',
  ],
  [
    'no login waits for this answer; begin anew in a terminal: npx passepartout mcp login',
    'keine Anmeldung wartet auf diese Antwort; neu beginnen, in einem Terminal: npx passepartout mcp login',
  ],
  ['there is no login at this server', 'bei diesem Server gibt es keine Anmeldung'],
];
